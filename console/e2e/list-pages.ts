import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { nouns } from '@hengtai/contract/index';
import type { ListSpec } from '@hengtai/contract/list';
import type { PageDef } from '../src/page-def.ts';
import { pages } from '../src/pages.ts';

/** A page that is a list, and the call that its rows come from. */
export interface ListPage {
  path: string;
  title: string;
  page: PageDef;
  /** What can be chosen there. */
  call: CallSpec & { list: ListSpec };
  /** The part of the list that the page is; empty where it is all of it. */
  within: Readonly<Record<string, string>>;
  /** Under which words its columns are kept. */
  kept: string;
  /** What its totals say that they count. */
  counted: readonly string[];
}

type ListCall = ListPage['call'];

const source = fileURLToPath(new URL('../src/', import.meta.url));
/** The calls by the name that pages import them under; six modules are named differently from their paths. */
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

/** Pages whose list cannot be told from their source, with the path of its call. */
const NAMED: Readonly<Record<string, string>> = {
  '/report': 'report/fund/list',
};

/** Lists of which a row is no single record, by the path of their call: days, and each day's agents. */
const COUNTED: Readonly<Record<string, readonly string[]>> = { 'report/fund/list': ['天', '行'] };

/** Pages that are a part of a list only. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/ieo/review': { type: 'review', state: '0' },
  '/ieo/history': { type: 'history' },
  '/second/open': { running: '1', state: '0', type: '0' },
  '/second/close': { running: '0' },
  '/future/wait': { state: '0' },
  '/future/open': { state: '1' },
};

/** Every page of the console that shows a list, found in the sources, so that a new one cannot be forgotten. */
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

/** The lists that a page reads: those given to useList, or else every one that is named. */
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

/** The source of a page with everything of its own folder that it imports. */
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
