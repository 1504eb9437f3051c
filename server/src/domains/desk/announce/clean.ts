import {
  announceAligns,
  announceColors,
  announceSchemes,
  announceTags,
  imageKeyOf,
} from '@hengtai/contract/desk/announce/markup';
import sanitize from 'sanitize-html';

/** Renames a block and keeps its alignment if it is one of ours. */
const alignedBlock =
  (tagName: string): sanitize.Transformer =>
  (_tag, { 'data-align': align = '' }) => ({
    tagName,
    attribs: Object.hasOwn(announceAligns, align) ? { 'data-align': align } : {},
  });

/** No element has this name, so the tag is removed and its text stays. */
const REMOVED = 'removed';

const options: sanitize.IOptions = {
  allowedTags: Object.keys(announceTags),
  allowedAttributes: {
    ...Object.fromEntries(Object.entries(announceTags).map(([tag, names]) => [tag, [...names]])),
    // `transformTags` sets target and rel, so that a linked page gets no access to its opener.
    a: ['href', 'target', 'rel'],
  },
  allowedSchemes: [...announceSchemes],
  // An image without an address of ours is removed.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'template',
    'svg',
    'math',
    'iframe',
    'object',
  ],
  nestingLimit: 12,
  transformTags: {
    ...Object.fromEntries(
      Object.entries({ p: 'p', div: 'p', h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h3', h5: 'h3', h6: 'h3' }).map(
        ([tag, name]) => [tag, alignedBlock(name)],
      ),
    ),
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    ins: 'u',
    // A link without an allowed URL becomes its text.
    a: (tagName, { href }) =>
      href === undefined
        ? { tagName: REMOVED, attribs: {} }
        : { tagName, attribs: { href, target: '_blank', rel: 'noopener noreferrer' } },
    span: (tagName, attribs) => {
      const color = attribs['data-color'];
      return color !== undefined && Object.hasOwn(announceColors, color)
        ? { tagName, attribs: { 'data-color': color } }
        : { tagName: REMOVED, attribs: {} };
    },
    img: (tagName, { src = '', alt, width, height }) =>
      imageKeyOf(src) === undefined
        ? { tagName: REMOVED, attribs: {} }
        : {
            tagName,
            attribs: {
              src,
              alt: alt ?? '',
              ...(isPixels(width) && { width }),
              ...(isPixels(height) && { height }),
            },
          },
  },
};

/**
 * Sanitizes the HTML of an announcement to a few elements without style, class or script, links to web or mail
 * addresses, and images that are stored here. The result is well-formed and sanitizing it again changes nothing; empty if that cannot be reached.
 */
export function cleanHtml(html: string): string {
  let clean = sanitize(html, options).trim();
  // The text around a removed element may form a new element.
  for (let round = 0; round < 4; round += 1) {
    const again = sanitize(clean, options).trim();
    if (again === clean) return clean;
    clean = again;
  }
  return '';
}

const isPixels = (text: string | undefined): text is string => text !== undefined && /^[1-9]\d{0,3}$/.test(text);

/** The keys of the images in sanitized HTML, each once. */
export function imageKeysOf(clean: string): string[] {
  const keys = [...clean.matchAll(/<img src="([^"]*)"/g)].flatMap(([, src = '']) => imageKeyOf(src) ?? []);
  return [...new Set(keys)];
}

/** Whether sanitized HTML has any visible text, or an image. */
export function hasContent(clean: string): boolean {
  const text = sanitize(clean, { allowedTags: [], allowedAttributes: {} });
  return imageKeysOf(clean).length > 0 || text.replaceAll(/&nbsp;|[\s\u00a0\u200b]/g, '') !== '';
}
