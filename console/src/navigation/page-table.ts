import { matchPath } from 'react-router';
import type { PageDef } from './page-def.ts';

export interface PageMatch {
  page: PageDef;
  params: Readonly<Record<string, string | undefined>>;
}

let table: readonly PageDef[] = [];

/** Called once by the entry. Keeps callers of `getPages` and `matchPage` from importing the pages. */
export function setPages(pages: readonly PageDef[]) {
  table = pages;
}

export const getPages = (): readonly PageDef[] => table;

/** Finds the page for a path, with its parameters. */
export function matchPage(pathname: string): PageMatch | undefined {
  for (const page of table) {
    const match = matchPath({ path: page.path, end: true, caseSensitive: true }, pathname);
    if (match) return { page, params: match.params };
  }
  return undefined;
}
