import {
  type AnnounceAlign,
  type AnnounceColor,
  announceAligns,
  announceColors,
  announceSchemes,
  announceTags,
  imageKeyOf,
} from '@hengtai/contract/desk/announce/markup';
import { DomUtils, parseDocument } from 'htmlparser2';

/** An image that is stored on the server. Its size in pixels reserves its place while it loads. */
export interface RichImage {
  key: string;
  alt: string;
  width?: number;
  height?: number;
}

/** The store of the images of a text. */
export interface RichImages {
  /** Stores a file, or returns the reason why it cannot be stored. */
  upload: (file: File) => Promise<{ image: RichImage } | { problem: string }>;
  /** Loads an image and resolves to its address in this document; undefined if that fails. */
  load: (key: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** A node of rich text: text, or one of the supported elements. `image` belongs to img, `color` to span. */
export type Rich =
  | string
  | {
      tag: string;
      href?: string;
      align?: AnnounceAlign;
      color?: AnnounceColor;
      image?: RichImage;
      children: Rich[];
    };

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
  if (tag === 'img') return convertImage(node.attribs);
  const { href, 'data-align': align, 'data-color': color } = node.attribs;
  if (tag === 'span') return isKeyOf(announceColors, color) ? [{ tag, color, children }] : children;
  if (tag !== 'a') {
    const isAligned = announceTags[tag]?.includes('data-align') && isKeyOf(announceAligns, align);
    return [{ tag, ...(isAligned && { align }), children }];
  }
  return href !== undefined && isLinkable(href) ? [{ tag, href, children }] : children;
}

const isKeyOf = <T extends object>(names: T, name: string | undefined): name is keyof T & string =>
  name !== undefined && Object.hasOwn(names, name);

function convertImage({ src = '', alt = '', width, height }: Record<string, string>): Rich[] {
  const key = imageKeyOf(src);
  if (key === undefined) return [];
  const size = [Number(width), Number(height)] as const;
  const isSized = size.every((side) => Number.isInteger(side) && side > 0);
  return [{ tag: 'img', image: { key, alt, ...(isSized && { width: size[0], height: size[1] }) }, children: [] }];
}

/** Whether rich text contains an image. */
export const hasImage = (rich: readonly Rich[]): boolean =>
  rich.some((node) => typeof node !== 'string' && (node.image !== undefined || hasImage(node.children)));

/** Plain text of rich text. */
export const textOf = (rich: readonly Rich[]): string =>
  rich.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
