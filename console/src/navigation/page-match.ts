import { matchPath } from 'react-router';
import type { PageDef } from './page-def.ts';
import { pages } from '../app/pages.ts';

export interface PageMatch {
  page: PageDef;
  params: Readonly<Record<string, string | undefined>>;
}

/** Finds the page for a path, with its parameters. */
export function matchPage(pathname: string): PageMatch | undefined {
  for (const page of pages) {
    const match = matchPath({ path: page.path, end: true, caseSensitive: true }, pathname);
    if (match) return { page, params: match.params };
  }
  return undefined;
}
