import type { SearchRow } from '@hengtai/contract/desk/search/schema';

/** What a chosen verb does instead of opening a path. */
export type PaletteCommand = { name: 'theme' } | { name: 'freeze'; user: Pick<SearchRow, 'id' | 'account' | 'state'> };

/** A line of the palette. */
export interface Choice {
  path: string;
  title: string;
  /** Kind of record, or menu group of a page. */
  kind: string;
  note?: string;
  /** Of the title of a page or verb. */
  pinyin?: string;
  /** Run instead of opening the path, which is then only a key. */
  command?: PaletteCommand;
}
