import { announceSchemes, announceTags } from '@hengtai/contract/announce';
import { DomUtils, parseDocument } from 'htmlparser2';

/** A node of rich text: text, or one of the supported elements. */
export type Rich = string | { tag: string; href?: string; children: Rich[] };

const ALIASES: Readonly<Record<string, string>> = {
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
const DROPPED = new Set([
  'script',
  'style',
  'template',
  'title',
  'head',
  'textarea',
  'svg',
  'math',
  'iframe',
  'object',
]);

/** Whether a link target is allowed: web or mail addresses. */
export function isLinkable(href: string): boolean {
  if (!URL.canParse(href)) return false;
  return announceSchemes.some((scheme) => new URL(href).protocol === `${scheme}:`);
}

/**
 * Parses HTML into the supported elements. Callers create nodes from the result and never markup, so content cannot
 * execute. Other elements are replaced by their text.
 */
export function parseRich(html: string): Rich[] {
  return parseDocument(html).children.flatMap(convertNode);
}

type ParsedNode = ReturnType<typeof parseDocument>['children'][number];

function convertNode(node: ParsedNode): Rich[] {
  if (DomUtils.isText(node)) return node.data === '' ? [] : [node.data];
  if (!DomUtils.isTag(node) || DROPPED.has(node.name)) return [];
  const children = node.children.flatMap(convertNode);
  const tag = ALIASES[node.name] ?? node.name;
  if (!Object.hasOwn(announceTags, tag)) return children;
  if (tag !== 'a') return [{ tag, children }];
  const { href } = node.attribs;
  return href !== undefined && isLinkable(href) ? [{ tag, href, children }] : children;
}

/** Plain text of rich text. */
export const textOf = (rich: readonly Rich[]): string =>
  rich.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
