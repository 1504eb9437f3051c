import type { Block, Row, View } from './view.ts';
import { visibleParts } from './visible-text.ts';

// Texts reach the document as text nodes only, each in an element that isolates its direction.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A text of which every character can be seen. */
export function visible(text: string, isCode = false): HTMLElement {
  const parts = visibleParts(text, isCode).map((part) =>
    part.isHidden ? element('b', 'sg-hidden', part.text) : part.text,
  );
  return element('bdi', 'sg-text', ...parts);
}

export function renderView({ title, lead, blocks }: View): Node[] {
  return [element('h1', '', title), element('p', 'sg-lead', lead), ...blocks.map(renderBlock)];
}

const TAGS = { added: '新增', removed: '移除', kept: '保留' } as const;

function renderBlock({ title, tag, rows }: Block): HTMLElement {
  const heading = element('h2', '', ...(tag ? [element('span', `sg-tag sg-${tag}`, TAGS[tag])] : []), visible(title));
  return element('section', 'sg-block', heading, element('dl', '', ...rows.flatMap(renderRow)));
}

const renderRow = ({ label, value, look }: Row): HTMLElement[] => [
  element('dt', '', visible(label)),
  element('dd', look ? `sg-${look}` : '', visible(value, look === 'code')),
];
