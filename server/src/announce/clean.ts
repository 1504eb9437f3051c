import { announceSchemes, announceTags } from '@hengtai/contract/announce';
import sanitize from 'sanitize-html';

const options: sanitize.IOptions = {
  allowedTags: Object.keys(announceTags),
  // What a link opens is a stranger to the page that it is opened from.
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
    // A link that leads nowhere is its text.
    a: (tagName, { href }) =>
      href === undefined
        ? { tagName: 'span', attribs: {} }
        : { tagName, attribs: { href, target: '_blank', rel: 'noopener noreferrer' } },
  },
};

/**
 * What may be kept of an announcement's HTML: a few elements without style, class, script or picture, and links that lead
 * to the web or to a mail address. The result is well-formed, and cleaning it once more changes nothing.
 */
export function cleanHtml(html: string): string {
  let clean = sanitize(html, options).trim();
  // What stood around an element that was taken away may form a new one.
  for (let round = 0; round < 4; round += 1) {
    const again = sanitize(clean, options).trim();
    if (again === clean) return clean;
    clean = again;
  }
  return '';
}

/** Whether there is anything to read in it. */
export function saysSomething(clean: string): boolean {
  const text = sanitize(clean, { allowedTags: [], allowedAttributes: {} });
  return text.replaceAll(/&nbsp;|[\s\u00a0\u200b]/g, '') !== '';
}
