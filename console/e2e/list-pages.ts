import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { nouns } from '@hengtai/contract/index';
import type { ListSpec } from '@hengtai/contract/list';
import type { PageDef } from '../src/page-def.ts';
import { pages } from '../src/pages.ts';

/** A page that shows a list, with the call that returns its rows. */
export interface ListPage {
  path: string;
  title: string;
  page: PageDef;
  /** The call with the filters that the page offers. */
  call: CallSpec & { list: ListSpec };
  /** Fixed parameters of a page that shows a subset of the list; empty if it shows the whole list. */
  within: Readonly<Record<string, string>>;
  /** The part of the preference key under which column settings are saved. */
  kept: string;
  /** Units that the totals may use for their counts. */
  counted: readonly string[];
}

type ListCall = ListPage['call'];

const source = fileURLToPath(new URL('../src/', import.meta.url));
/** Calls by the name under which pages import them; six modules are named differently from their paths. */
const calls: Record<string, Record<string, CallSpec>> = {
  ...nouns,
  binaryContract: nouns.second,
  kyc: nouns.auth,
  ledgerEntry: nouns.fund,
  priceProtection: nouns.plan,
  spot: nouns.trade,
  support: nouns.service,
};
const isList = (call: CallSpec | undefined): call is ListCall => call?.list !== undefined;

/** Pages with several list calls in their source, with the path of the right one. */
const NAMED: Readonly<Record<string, string>> = {
  '/report': 'report/fund/list',
};

/** Units of lists whose rows are not single records, by the path of the call: days, or agents per day. */
const COUNTED: Readonly<Record<string, readonly string[]>> = { 'report/fund/list': ['天', '行'] };

/** Pages that show a subset of a list, with their fixed parameters. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/ieo/review': { type: 'review', state: '0' },
  '/ieo/history': { type: 'history' },
  '/second/open': { running: '1', state: '0', type: '0' },
  '/second/close': { running: '0' },
  '/future/wait': { state: '0' },
  '/future/open': { state: '1' },
};

/** Finds all pages with a list in the sources, so that new pages are tested too; `unclear` names unresolved pages. */
export function listPages(): { lists: ListPage[]; unclear: string[] } {
  const lists: ListPage[] = [];
  const unclear: string[] = [];
  for (const page of pages) {
    const text = textOf(page);
    if (!/\b(useList|ListFrame|ResourceTable)\b/.test(text)) continue;
    const found = callsIn(text);
    const named = found.find(({ path }) => path === NAMED[page.path]);
    const [only] = found;
    const call = named ?? (found.length === 1 ? only : undefined);
    if (call) lists.push(listPage(page, call));
    else unclear.push(`${page.path}: ${found.map(({ path }) => path).join(', ') || 'no call'}`);
  }
  return { lists, unclear };
}

function listPage(page: PageDef, call: ListCall): ListPage {
  const within = PARTS[page.path] ?? {};
  const filters = call.list.filters.filter(({ field }) => !Object.hasOwn(within, field));
  const chosen = { ...call, list: { ...call.list, filters } };
  const kept = [call.path, ...Object.values(within)].join('/');
  const counted = COUNTED[call.path] ?? ['笔'];
  return { path: page.path, title: page.title, page, call: chosen, within, kept, counted };
}

/** The list calls in a source: those passed to `useList`, or else all that it names. */
function callsIn(text: string): ListCall[] {
  const read = listCalls(text.matchAll(/\buseList\(\s*(\w+)\.(\w+)/g));
  return read.length > 0 ? read : listCalls(text.matchAll(/\b(\w+)\.(\w+)\b/g));
}

function listCalls(matches: Iterable<RegExpMatchArray>): ListCall[] {
  const found = new Set<ListCall>();
  for (const [, noun = '', name = ''] of matches) {
    const call = Object.hasOwn(calls, noun) ? calls[noun]?.[name] : undefined;
    if (isList(call)) found.add(call);
  }
  return [...found];
}

/** The source of a page and of its relative imports from the same folder; throws if the page loads no file. */
function textOf({ load }: PageDef): string {
  const entry = /\.\/pages\/[\w./-]+\.tsx/.exec(load.toString())?.[0];
  if (!entry) throw new Error(`no page is loaded by ${load.toString()}`);
  const seen = new Map<string, string>();
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    seen.set(file, text);
    for (const [, from = ''] of text.matchAll(/(?:from|import\()\s*'(\.\/[\w./-]+\.tsx?)'/g)) {
      visit(join(dirname(file), from));
    }
  };
  visit(join(source, entry));
  return [...seen.values()].join('\n');
}
