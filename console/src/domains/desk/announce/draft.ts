import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceNew } from '@hengtai/contract/desk/announce/schema';
import { announceLangs } from '@hengtai/contract/wire/input-values';
import { hasImage, parseRich, textOf } from '../../../ui/rich/rich-tree.ts';

/** The text in one language; `content` is HTML. */
export interface AnnounceText {
  title: string;
  content: string;
}

/** Error messages of the fields. */
export interface FieldErrors {
  title?: string;
  content?: string;
}

export const EMPTY_TEXT: AnnounceText = { title: '', content: '' };

/** Whether the content has a visible text or an image. */
function hasContent(html: string): boolean {
  const rich = parseRich(html);
  return hasImage(rich) || textOf(rich).trim() !== '';
}
export const isFilled = ({ title, content }: AnnounceText): boolean => title.trim() !== '' || hasContent(content);

/** The errors of a text; undefined if none. The title is always required, the content only to publish (state 1). */
export function validateText(text: AnnounceText, state: number): FieldErrors | undefined {
  const errors: FieldErrors = {
    ...(text.title.trim() === '' && { title: '请输入标题' }),
    ...(state === ANNOUNCE.published && !hasContent(text.content) && { content: '请输入内容' }),
  };
  return Object.keys(errors).length > 0 ? errors : undefined;
}

export const langs = Object.keys(announceLangs);

/** The input of the call: one item for each language that has a text. */
export const itemsOf = (
  texts: Readonly<Record<string, AnnounceText>>,
  itemLangs: readonly string[],
  shared: Omit<AnnounceNew, 'lang' | 'title' | 'content'>,
): AnnounceNew[] =>
  itemLangs.flatMap((lang) => {
    const text = texts[lang];
    if (!text || !isFilled(text)) return [];
    return [{ lang, title: text.title.trim(), content: text.content, ...shared }];
  });
