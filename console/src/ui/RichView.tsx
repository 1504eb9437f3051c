import './rich.css';
import { type ReactNode, createElement, useMemo } from 'react';
import { type Rich, richOf } from './rich-tree.ts';

/** Rich text as its readers see it, made of nodes and never of markup. */
export function RichView({ html }: { html: string }) {
  const rich = useMemo(() => richOf(html), [html]);
  return <div className="ht-rich">{nodesOf(rich)}</div>;
}

function nodesOf(rich: readonly Rich[]): ReactNode[] {
  return rich.map((piece, index) => {
    if (typeof piece === 'string') return piece;
    const { tag, href, children } = piece;
    const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' };
    // A piece has no identity but its place.
    // oxlint-disable-next-line react/no-array-index-key
    return createElement(tag, { key: index, ...link }, ...(tag === 'br' ? [] : nodesOf(children)));
  });
}
