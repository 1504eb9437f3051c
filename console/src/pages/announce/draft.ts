import type { AnnounceItem } from '@hengtai/contract/announce.schema';
import { announceLangs } from '@hengtai/contract/announce';
import { richOf, textOf } from '../../ui/rich-tree.ts';

/** What is written in one language. */
export interface Text {
  title: string;
  content: string;
}

/** What is wrong with it, in words. */
export interface Wrong {
  title?: string;
  content?: string;
}

export const EMPTY: Text = { title: '', content: '' };

export const says = (html: string): boolean => textOf(richOf(html)).trim() !== '';
export const isWritten = ({ title, content }: Text): boolean => title.trim() !== '' || says(content);

/** A title is always needed; something to read only where it is published. */
export function wrongOf(text: Text, state: number): Wrong | undefined {
  const wrong: Wrong = {
    ...(text.title.trim() === '' && { title: '请输入标题' }),
    ...(state === 1 && !says(text.content) && { content: '请输入内容' }),
  };
  return Object.keys(wrong).length > 0 ? wrong : undefined;
}

export const langs = Object.keys(announceLangs);

/** What is sent: the languages in which something was written. */
export const itemsOf = (texts: Readonly<Record<string, Text>>, platform: number, state: 0 | 1): AnnounceItem[] =>
  langs.flatMap((lang) => {
    const text = texts[lang];
    if (!text || !isWritten(text)) return [];
    return [{ lang, title: text.title.trim(), content: text.content, platform, state }];
  });
