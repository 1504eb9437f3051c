import type { PageDef } from './page-def.ts';

export interface PageMatch {
  page: PageDef;
  params: Readonly<Record<string, string | undefined>>;
}

let table: readonly PageDef[] = [];
let patterns: readonly (readonly [RegExp, PageDef])[] = [];

/** Called once by the entry. Keeps callers of `getPages` and `matchPage` from importing the pages. */
export function setPages(pages: readonly PageDef[]) {
  table = pages;
  patterns = pages.map((page) => [new RegExp(`^${page.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/*$`), page]);
}

export const getPages = (): readonly PageDef[] => table;

/** Finds the page for a path, with its parameters. */
export function matchPage(pathname: string): PageMatch | undefined {
  for (const [pattern, page] of patterns) {
    const match = pattern.exec(pathname);
    if (match) return { page, params: decodeParams(match.groups ?? {}) };
  }
  return undefined;
}

function decodeParams(groups: Readonly<Record<string, string>>): PageMatch['params'] {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // Malformed escapes stay as they are.
    return groups;
  }
}
