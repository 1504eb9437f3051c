import './rich.css';
import { type ComponentType, type ReactNode, createElement, useMemo } from 'react';
import { type Rich, type RichImage, parseRich } from './rich-tree.ts';

interface Props {
  html: string;
  /** Renders an image. Without it, images show their description. */
  Image?: ComponentType<{ image: RichImage }>;
}

/** Renders rich text as React nodes, never as markup. */
export function RichView({ html, Image }: Props) {
  const rich = useMemo(() => parseRich(html), [html]);
  return <div className="ht-rich">{nodesOf(rich, Image)}</div>;
}

function nodesOf(rich: readonly Rich[], Image: Props['Image']): ReactNode[] {
  return rich.map((node, index) => {
    if (typeof node === 'string') return node;
    const { tag, href, align, color, image, children } = node;
    // Nodes have no key but their position.
    // oxlint-disable-next-line react/no-array-index-key
    if (image) return Image ? <Image key={index} image={image} /> : image.alt;
    const attributes = {
      ...(href !== undefined && { href, target: '_blank', rel: 'noopener noreferrer' }),
      ...(align && { 'data-align': align }),
      ...(color && { 'data-color': color }),
    };
    // oxlint-disable-next-line react/no-array-index-key
    return createElement(tag, { key: index, ...attributes }, ...(tag === 'br' ? [] : nodesOf(children, Image)));
  });
}
