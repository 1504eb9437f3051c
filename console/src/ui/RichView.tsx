import './rich.css';
import { type ReactNode, createElement, useMemo } from 'react';
import { type Rich, parseRich } from './rich-tree.ts';

/** Renders rich text as React nodes, never as markup. */
export function RichView({ html }: { html: string }) {
  const rich = useMemo(() => parseRich(html), [html]);
  return <div className="ht-rich">{nodesOf(rich)}</div>;
}

function nodesOf(rich: readonly Rich[]): ReactNode[] {
  return rich.map((node, index) => {
    if (typeof node === 'string') return node;
    const { tag, href, children } = node;
    const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' };
    // Nodes have no key but their position.
    // oxlint-disable-next-line react/no-array-index-key
    return createElement(tag, { key: index, ...link }, ...(tag === 'br' ? [] : nodesOf(children)));
  });
}
