import type { Ability } from '@hengtai/contract/ability';
import type { ComponentType } from 'react';

/** A page of the console: one row of the table in pages.ts. */
export interface PageDef {
  /** Route, with `:name` for parameters. */
  path: string;
  /** Written on its tab, its heading and in the list of pages. */
  title: string;
  /** Its word in the menu, where the group above already says the rest. */
  menu?: string;
  noun: string;
  /** Its state survives while another tab is in sight. */
  keep: boolean;
  /** Without the planned settings the route leads home. */
  planSet?: true;
  /** Without the ability the page says so. */
  ability?: Ability;
  load: () => Promise<ComponentType>;
}
