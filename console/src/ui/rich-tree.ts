import { announceSchemes, announceTags } from '@hengtai/contract/announce';
import { DomUtils, parseDocument } from 'htmlparser2';

/** A piece of rich text: words, or an element of the few that there are. */
export type Rich = string | { tag: string; href?: string; children: Rich[] };

const SAME: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  ins: 'u',
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  div: 'p',
};
const SILENT = new Set(['script', 'style', 'template', 'title', 'head', 'textarea', 'svg', 'math', 'iframe', 'object']);

/** Whether a link may lead there: to the web, or to a mail address. */
export function isLinkable(href: string): boolean {
  if (!URL.canParse(href)) return false;
  return announceSchemes.some((scheme) => new URL(href).protocol === `${scheme}:`);
}

/**
 * Reads HTML into the elements that may be shown. Nothing of it becomes markup: the caller creates nodes from it, so pasted
 * or stored content can never run. What is not allowed is taken away, and its words stay.
 */
export function richOf(html: string): Rich[] {
  return parseDocument(html).children.flatMap(pieceOf);
}

type Parsed = ReturnType<typeof parseDocument>['children'][number];

function pieceOf(node: Parsed): Rich[] {
  if (DomUtils.isText(node)) return node.data === '' ? [] : [node.data];
  if (!DomUtils.isTag(node) || SILENT.has(node.name)) return [];
  const children = node.children.flatMap(pieceOf);
  const tag = SAME[node.name] ?? node.name;
  if (!Object.hasOwn(announceTags, tag)) return children;
  if (tag !== 'a') return [{ tag, children }];
  const { href } = node.attribs;
  return href !== undefined && isLinkable(href) ? [{ tag, href, children }] : children;
}

/** The words alone. */
export const textOf = (rich: readonly Rich[]): string =>
  rich.map((piece) => (typeof piece === 'string' ? piece : textOf(piece.children))).join('');
