import { $createLinkNode, $isLinkNode } from '@lexical/link';
import { $createListItemNode, $createListNode, $isListItemNode, $isListNode } from '@lexical/list';
import { $createHeadingNode, $createQuoteNode, $isHeadingNode, $isQuoteNode } from '@lexical/rich-text';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
  type TextFormatType,
} from 'lexical';
import { type AnnounceColor, announceColors, imageSrcOf } from '@hengtai/contract/desk/announce/markup';
import { $isImageNode, ImageNode } from './rich-image-node.ts';
import type { Rich } from './rich-tree.ts';

/** The style of coloured text in the editor, which `rich.css` defines for both themes. */
const STYLE = /^color: ?var\(--rich-([a-z]+)\);?$/;
export const styleOf = (color: AnnounceColor): string => `var(--rich-${color})`;
/** The colour of a style that the editor has set. */
export function colorOf(style: string): AnnounceColor | undefined {
  const name = STYLE.exec(style.trim())?.[1];
  return name !== undefined && Object.hasOwn(announceColors, name) ? (name as AnnounceColor) : undefined;
}

const FORMATS: Readonly<Record<string, TextFormatType>> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  s: 'strikethrough',
};

type RichElement = Exclude<Rich, string>;
const isBlock = (node: Rich): node is RichElement =>
  typeof node !== 'string' && ['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote'].includes(node.tag);

/**
 * Converts rich text to editor nodes; inline content outside of blocks gets a paragraph. Call inside an editor update
 * only.
 */
export function $nodesOf(rich: readonly Rich[]): LexicalNode[] {
  const nodes: LexicalNode[] = [];
  let inline: Rich[] = [];
  const flush = (): void => {
    const hasText = inline.some((node) => typeof node !== 'string' || node.trim() !== '');
    if (hasText) nodes.push($createParagraphNode().append(...inline.flatMap((node) => $inlineOf(node))));
    inline = [];
  };
  for (const node of rich) {
    if (!isBlock(node)) {
      inline.push(node);
      continue;
    }
    flush();
    nodes.push(...$blockOf(node));
  }
  flush();
  return nodes;
}

function $blockOf(node: RichElement): LexicalNode[] {
  const { tag, children } = node;
  if (tag === 'ul' || tag === 'ol') {
    const list = $createListNode(tag === 'ul' ? 'bullet' : 'number');
    for (const child of children) {
      if (!isBlock(child)) continue;
      const item = $createListItemNode();
      if (child.tag === 'ul' || child.tag === 'ol') item.append(...$blockOf(child));
      else item.append(...child.children.flatMap((part) => (isBlock(part) ? $flatten(part) : $inlineOf(part))));
      list.append(item);
    }
    return [list];
  }
  const block: ElementNode =
    tag === 'h2' || tag === 'h3'
      ? $createHeadingNode(tag)
      : tag === 'blockquote'
        ? $createQuoteNode()
        : $createParagraphNode();
  if (node.align) block.setFormat(node.align);
  // A nested block becomes a sibling after its parent.
  const inlineChildren = children.filter((child) => !isBlock(child));
  if (tag === 'blockquote') return [block.append(...children.flatMap($flattenNode))];
  const nestedBlocks = children.filter(isBlock).flatMap($blockOf);
  if (inlineChildren.length === 0 && nestedBlocks.length > 0) return nestedBlocks;
  return [block.append(...inlineChildren.flatMap((child) => $inlineOf(child))), ...nestedBlocks];
}

const $flatten = (node: RichElement): LexicalNode[] => node.children.flatMap($flattenNode);
function $flattenNode(node: Rich): LexicalNode[] {
  return isBlock(node) ? $flatten(node) : $inlineOf(node);
}

function $inlineOf(node: Rich, formats: readonly TextFormatType[] = [], color?: AnnounceColor): LexicalNode[] {
  if (typeof node === 'string') {
    const text = node.replaceAll(/[ \t\r\n]+/g, ' ');
    if (text === '') return [];
    const textNode = $createTextNode(text);
    for (const format of formats) textNode.toggleFormat(format);
    if (color) textNode.setStyle(`color: ${styleOf(color)}`);
    return [textNode];
  }
  if (node.tag === 'br') return [$createLineBreakNode()];
  if (node.image) return [new ImageNode(node.image)];
  const format = FORMATS[node.tag];
  const allFormats = format && !formats.includes(format) ? [...formats, format] : formats;
  const children = node.children.flatMap((child) => $inlineOf(child, allFormats, node.color ?? color));
  return node.href === undefined ? children : [$createLinkNode(node.href).append(...children)];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Serializes the editor content to HTML with the supported elements. Call inside an editor read only. */
export function $htmlOf(): string {
  const blocks = $getRoot().getChildren();
  const html = blocks.map($serialize).join('');
  return html === '<p></p>' ? '' : html;
}

function $serialize(node: LexicalNode): string {
  if ($isLineBreakNode(node)) return '<br>';
  if ($isTextNode(node)) {
    const tags = Object.entries(FORMATS).filter(([, format]) => node.hasFormat(format));
    const color = colorOf(node.getStyle());
    const text = escapeHtml(node.getTextContent());
    const colored = color ? `<span data-color="${color}">${text}</span>` : text;
    return tags.reduce((inner, [tag]) => `<${tag}>${inner}</${tag}>`, colored);
  }
  if ($isImageNode(node)) {
    const { key, alt, width, height } = node.image;
    const size = width !== undefined && height !== undefined ? ` width="${width}" height="${height}"` : '';
    return `<img src="${escapeHtml(imageSrcOf(key))}" alt="${escapeHtml(alt)}"${size}>`;
  }
  if (!$isElementNode(node)) return escapeHtml(node.getTextContent());
  const innerHtml = node.getChildren().map($serialize).join('');
  if ($isLinkNode(node)) return `<a href="${escapeHtml(node.getURL())}">${innerHtml}</a>`;
  const tag = $tagOf(node);
  if (tag === undefined) return innerHtml;
  const align = node.getFormatType();
  const isAligned = ['p', 'h2', 'h3'].includes(tag) && (align === 'center' || align === 'right');
  return `<${tag}${isAligned ? ` data-align="${align}"` : ''}>${innerHtml}</${tag}>`;
}

function $tagOf(node: ElementNode): string | undefined {
  if ($isHeadingNode(node)) return node.getTag() === 'h3' ? 'h3' : 'h2';
  if ($isQuoteNode(node)) return 'blockquote';
  if ($isListNode(node)) return node.getListType() === 'number' ? 'ol' : 'ul';
  if ($isListItemNode(node)) return 'li';
  return node.getType() === 'paragraph' ? 'p' : undefined;
}
