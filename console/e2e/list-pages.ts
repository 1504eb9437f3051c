import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import type { ListSpec } from '@hengtai/contract/wire/list';
import type { PageDef } from '../src/navigation/page-def.ts';
import { pages } from '../src/app/pages.ts';

/** A page that shows a list, with the call that returns its rows. */
export interface ListPage {
  path: string;
  title: string;
  page: PageDef;
  /** The call with the filters that the page offers. */
  call: CallSpec & { list: ListSpec };
  /** Fixed parameters of a page that shows a subset of the list; empty if it shows the whole list. */
  fixedParams: Readonly<Record<string, string>>;
  /** The part of the preference key under which column settings are saved. */
  preferenceKey: string;
  /** Units that the totals may use for their counts. */
  countUnits: readonly string[];
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
const CALL_PATHS: Readonly<Record<string, string>> = {
  '/report': 'report/fund/list',
};

/** Units of lists whose rows are not single records, by the path of the call: days, or agents per day. */
const COUNT_UNITS: Readonly<Record<string, readonly string[]>> = { 'report/fund/list': ['天', '行'] };

/** Pages that show a subset of a list, with their fixed parameters. */
const FIXED_PARAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/ieo/review': { type: 'review', state: '0' },
  '/ieo/history': { type: 'history' },
  '/second/open': { running: '1', state: '0', type: '0' },
  '/second/close': { running: '0' },
  '/future/wait': { state: '0' },
  '/future/open': { state: '1' },
};

/** Finds all pages with a list in the sources, so that new pages are tested too; `unresolved` names the pages whose call is unclear. */
export function listPages(): { lists: ListPage[]; unresolved: string[] } {
  const lists: ListPage[] = [];
  const unresolved: string[] = [];
  // A page of one record shows the list only until its record is open.
  for (const page of pages.filter(({ path }) => !path.endsWith('/case'))) {
    const text = readSource(page);
    if (!/\b(useList|ListFrame|ResourceTable)\b/.test(text)) continue;
    const found = findListCalls(text);
    const configured = found.find(({ path }) => path === CALL_PATHS[page.path]);
    const [only] = found;
    const call = configured ?? (found.length === 1 ? only : undefined);
    if (call) lists.push(makeListPage(page, call));
    else unresolved.push(`${page.path}: ${found.map(({ path }) => path).join(', ') || 'no call'}`);
  }
  return { lists, unresolved };
}

function makeListPage(page: PageDef, call: ListCall): ListPage {
  const fixedParams = FIXED_PARAMS[page.path] ?? {};
  const filters = call.list.filters.filter(({ field }) => !Object.hasOwn(fixedParams, field));
  const pageCall = { ...call, list: { ...call.list, filters } };
  const preferenceKey = [call.path, ...Object.values(fixedParams)].join('/');
  const countUnits = COUNT_UNITS[call.path] ?? ['笔'];
  return {
    path: page.path,
    title: page.title,
    page,
    call: pageCall,
    fixedParams,
    preferenceKey,
    countUnits,
  };
}

/** The list calls in a source: those passed to `useList`, or else all that it names. */
function findListCalls(text: string): ListCall[] {
  const hookCalls = resolveListCalls(text.matchAll(/\buseList\(\s*(\w+)\.(\w+)/g));
  return hookCalls.length > 0 ? hookCalls : resolveListCalls(text.matchAll(/\b(\w+)\.(\w+)\b/g));
}

function resolveListCalls(matches: Iterable<RegExpMatchArray>): ListCall[] {
  const found = new Set<ListCall>();
  for (const [, noun = '', name = ''] of matches) {
    const call = Object.hasOwn(calls, noun) ? calls[noun]?.[name] : undefined;
    if (isList(call)) found.add(call);
  }
  return [...found];
}

/** The source of a page and of its relative imports from the same folder; throws if the page loads no file. */
function readSource({ load }: PageDef): string {
  const entry = /\.\.\/domains\/[\w./-]+\.tsx/.exec(load.toString())?.[0];
  if (!entry) throw new Error(`no page is loaded by ${load.toString()}`);
  const sources = new Map<string, string>();
  const visit = (file: string) => {
    if (sources.has(file) || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    sources.set(file, text);
    for (const [, from = ''] of text.matchAll(/(?:from|import\()\s*'(\.\/[\w./-]+\.tsx?)'/g)) {
      visit(join(dirname(file), from));
    }
  };
  visit(join(source, 'app', entry));
  return [...sources.values()].join('\n');
}
