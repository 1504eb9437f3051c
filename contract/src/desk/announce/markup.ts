/**
 * The markup of an announcement's content. The server sanitizes to it, the editor writes it. Other elements are removed;
 * their text stays.
 */

/** Elements with their attributes. */
export const announceTags: Readonly<Record<string, readonly string[]>> = {
  p: ['data-align'],
  br: [],
  h2: ['data-align'],
  h3: ['data-align'],
  strong: [],
  em: [],
  u: [],
  s: [],
  ul: [],
  ol: [],
  li: [],
  blockquote: [],
  a: ['href'],
  span: ['data-color'],
  img: ['src', 'alt', 'width', 'height'],
};
/** URL schemes allowed in links. */
export const announceSchemes = ['http', 'https', 'mailto'] as const;

/** Values of `data-align`. Without the attribute a block is left-aligned. */
export const announceAligns = { center: '居中', right: '右对齐' } as const;
export type AnnounceAlign = keyof typeof announceAligns;
/**
 * Values of `data-color`. Names, not colours: the page that shows the text decides, so that each passes contrast on its
 * ground.
 */
export const announceColors = { red: '红色', orange: '橙色', green: '绿色', blue: '蓝色', grey: '灰色' } as const;
export type AnnounceColor = keyof typeof announceColors;

/** Colours that pass contrast (4.5:1) on their ground. The preview uses them; a platform may. */
export const announcePalette = {
  light: {
    ground: '#ffffff',
    text: '#1b2331',
    faint: '#626b7b',
    link: '#1d4fc4',
    red: '#b91c1c',
    orange: '#9a4a00',
    green: '#12703a',
    blue: '#1d4fc4',
    grey: '#626b7b',
  },
  dark: {
    ground: '#191d25',
    text: '#e3e7ee',
    faint: '#929bab',
    link: '#759df7',
    red: '#f98080',
    orange: '#eba259',
    green: '#52c489',
    blue: '#759df7',
    grey: '#929bab',
  },
} as const satisfies Record<'light' | 'dark', Record<AnnounceColor | 'ground' | 'text' | 'faint' | 'link', string>>;

/** Pattern of the key of an image. */
export const ANNOUNCE_IMAGE_KEY = '[0-9a-f]{32}';
/** Path of the platform's call that answers with an image; the key follows. */
const IMAGE_SRC = '/platform/v1/announcements/image?key=';
/** The `src` of an image in a content. */
export const imageSrcOf = (key: string): string => `${IMAGE_SRC}${key}`;
/** The key in the `src` of an image; undefined for every other address. */
export function imageKeyOf(src: string): string | undefined {
  const key = src.startsWith(IMAGE_SRC) ? src.slice(IMAGE_SRC.length) : '';
  return new RegExp(`^${ANNOUNCE_IMAGE_KEY}$`).test(key) ? key : undefined;
}
