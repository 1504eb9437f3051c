import { type Block, type Row, type View, titleParts, valueParts } from './view.ts';
import { type TextPart, visibleParts } from './visible-text.ts';

// Texts reach the document as text nodes only, each in an element that isolates its direction.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  if (className !== '') created.className = className;
  created.append(...children);
  return created;
}

/** A text of which every character can be seen. */
export const visibleText = (text: string, isCode = false): HTMLElement => isolate(visibleParts(text, isCode));

function isolate(parts: readonly TextPart[]): HTMLElement {
  const children = parts.map((part) => (part.isHidden ? element('b', 'ht-signing-hidden', part.text) : part.text));
  return element('bdi', 'ht-signing-text', ...children);
}

export function renderView({ title, lead, blocks }: View): Node[] {
  return [element('h1', '', title), element('p', 'ht-signing-lead', lead), ...blocks.map(renderBlock)];
}

const TAGS = { added: '新增', removed: '移除', kept: '保留' } as const;

function renderBlock(block: Block): HTMLElement {
  const tag = block.tag ? [element('span', `ht-signing-tag ht-signing-${block.tag}`, TAGS[block.tag])] : [];
  const heading = element('h2', '', ...tag, isolate(titleParts(block)));
  return element('section', 'ht-signing-block', heading, element('dl', '', ...block.rows.flatMap(renderRow)));
}

const renderRow = (row: Row): HTMLElement[] => [
  element('dt', '', visibleText(row.label)),
  element('dd', row.look ? `ht-signing-${row.look}` : '', isolate(valueParts(row))),
];
