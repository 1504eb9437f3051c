import type { Ability } from '@hengtai/contract/authority/ability';
import type { ComponentType } from 'react';
import type { PageShape } from '../ui/page/PageSkeleton.tsx';

/** A page of the console: one row of the table in pages.ts. */
export interface PageDef {
  /** Route, with `:name` for parameters. */
  path: string;
  /** Shown on the tab, as the page heading and in the command palette. */
  title: string;
  /**
   * Of the title, one syllable per character; Latin letters and digits stand for themselves. Empty for a page that the
   * palette does not offer.
   */
  pinyin: string;
  /** Shorter label in the menu, where the group title already names the subject. */
  menu?: string;
  /** Menu group that contains it; the pages of a group have the order of the table. */
  group?: 'users' | 'funds' | 'quotes' | 'futures' | 'seconds' | 'ieo' | 'payouts' | 'safety';
  /** Noun of the contract whose calls the page uses. */
  noun: string;
  /** What its placeholder looks like while it loads. */
  shape: PageShape;
  /** Keeps its state while another tab is active. */
  keep: boolean;
  /** Requires the ability `platform`; without it the route redirects to home. */
  planSet?: true;
  /** Requires all of these abilities; without them the page shows that permission is missing. */
  abilities?: readonly Ability[];
  /** Requires one of these as well. */
  anyAbility?: readonly Ability[];
  load: () => Promise<ComponentType>;
}
