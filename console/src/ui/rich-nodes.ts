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
import type { Rich } from './rich-tree.ts';

const FORMATS: Readonly<Record<string, TextFormatType>> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  s: 'strikethrough',
};

type Piece = Exclude<Rich, string>;
const isBlock = (piece: Rich): piece is Piece =>
  typeof piece !== 'string' && ['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote'].includes(piece.tag);

/** The editor's nodes for rich text; what stands outside of any paragraph gets one. Inside an update only. */
export function $nodesOf(rich: readonly Rich[]): LexicalNode[] {
  const nodes: LexicalNode[] = [];
  let loose: Rich[] = [];
  const flush = (): void => {
    const words = loose.some((piece) => typeof piece !== 'string' || piece.trim() !== '');
    if (words) nodes.push($createParagraphNode().append(...loose.flatMap((piece) => $inlineOf(piece, []))));
    loose = [];
  };
  for (const piece of rich) {
    if (!isBlock(piece)) {
      loose.push(piece);
      continue;
    }
    flush();
    nodes.push(...$blockOf(piece));
  }
  flush();
  return nodes;
}

function $blockOf(piece: Piece): LexicalNode[] {
  const { tag, children } = piece;
  if (tag === 'ul' || tag === 'ol') {
    const list = $createListNode(tag === 'ul' ? 'bullet' : 'number');
    for (const child of children) {
      if (!isBlock(child)) continue;
      const item = $createListItemNode();
      if (child.tag === 'ul' || child.tag === 'ol') item.append(...$blockOf(child));
      else item.append(...child.children.flatMap((part) => (isBlock(part) ? $flat(part) : $inlineOf(part, []))));
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
  // A block in a block stands by itself behind it.
  const inner = children.filter((child) => !isBlock(child));
  if (tag === 'blockquote') return [block.append(...children.flatMap($flatOrInline))];
  const behind = children.filter(isBlock).flatMap($blockOf);
  if (inner.length === 0 && behind.length > 0) return behind;
  return [block.append(...inner.flatMap((child) => $inlineOf(child, []))), ...behind];
}

const $flat = (piece: Piece): LexicalNode[] => piece.children.flatMap($flatOrInline);
function $flatOrInline(piece: Rich): LexicalNode[] {
  return isBlock(piece) ? $flat(piece) : $inlineOf(piece, []);
}

function $inlineOf(piece: Rich, formats: readonly TextFormatType[]): LexicalNode[] {
  if (typeof piece === 'string') {
    const text = piece.replaceAll(/[ \t\r\n]+/g, ' ');
    if (text === '') return [];
    const node = $createTextNode(text);
    for (const format of formats) node.toggleFormat(format);
    return [node];
  }
  if (piece.tag === 'br') return [$createLineBreakNode()];
  const format = FORMATS[piece.tag];
  const within = format && !formats.includes(format) ? [...formats, format] : formats;
  const children = piece.children.flatMap((child) => $inlineOf(child, within));
  return piece.href === undefined ? children : [$createLinkNode(piece.href).append(...children)];
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);

/** What the editor holds, as HTML of the elements that are kept. Inside a read only. */
export function $htmlOf(): string {
  const blocks = $getRoot().getChildren();
  const html = blocks.map($written).join('');
  return html === '<p></p>' ? '' : html;
}

function $written(node: LexicalNode): string {
  if ($isLineBreakNode(node)) return '<br>';
  if ($isTextNode(node)) {
    const tags = Object.entries(FORMATS).filter(([, format]) => node.hasFormat(format));
    return tags.reduce((text, [tag]) => `<${tag}>${text}</${tag}>`, escaped(node.getTextContent()));
  }
  if (!$isElementNode(node)) return escaped(node.getTextContent());
  const inner = node.getChildren().map($written).join('');
  if ($isLinkNode(node)) return `<a href="${escaped(node.getURL())}">${inner}</a>`;
  const tag = $tagOf(node);
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
}

function $tagOf(node: ElementNode): string | undefined {
  if ($isHeadingNode(node)) return node.getTag() === 'h3' ? 'h3' : 'h2';
  if ($isQuoteNode(node)) return 'blockquote';
  if ($isListNode(node)) return node.getListType() === 'number' ? 'ol' : 'ul';
  if ($isListItemNode(node)) return 'li';
  return node.getType() === 'paragraph' ? 'p' : undefined;
}
