import { announceSchemes, announceTags } from '@hengtai/contract/announce';
import sanitize from 'sanitize-html';

const options: sanitize.IOptions = {
  allowedTags: Object.keys(announceTags),
  // `transformTags` sets target and rel, so that a linked page gets no access to its opener.
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: [...announceSchemes],
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
    h1: 'h2',
    h4: 'h3',
    h5: 'h3',
    h6: 'h3',
    div: 'p',
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    ins: 'u',
    // A link without an allowed URL becomes its text.
    a: (tagName, { href }) =>
      href === undefined
        ? { tagName: 'span', attribs: {} }
        : { tagName, attribs: { href, target: '_blank', rel: 'noopener noreferrer' } },
  },
};

/**
 * Sanitizes the HTML of an announcement to a few elements without style, class, script or image, and links to web or
 * mail addresses. The result is well-formed and sanitizing it again changes nothing; empty if that cannot be reached.
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

/** Whether sanitized HTML has any visible text. */
export function hasText(clean: string): boolean {
  const text = sanitize(clean, { allowedTags: [], allowedAttributes: {} });
  return text.replaceAll(/&nbsp;|[\s\u00a0\u200b]/g, '') !== '';
}
