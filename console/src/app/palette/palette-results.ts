import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { findSettings } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { SEARCH_TEXT_MAX } from '@hengtai/contract/wire/input-values';
import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { targets } from '@hengtai/contract/authority/target';
import { canOpen } from '../../navigation/can-open.ts';
import { getPages, matchPage } from '../../navigation/page-table.ts';
import { menuOf } from '../menu.tsx';
import { rankTitle } from './rank-title.ts';
import type { Choice } from './choice.ts';

/** The page that lists a futures order depends on its state. */
const futurePage = (state: number): string =>
  state === FUTURE.pending || state === FUTURE.cancelling
    ? 'wait'
    : state === FUTURE.open || state === FUTURE.closing
      ? 'open'
      : 'open_history';

const placeOf = (type: string, id: number): string => `/${type}?id=${id}&open=${id}`;
/** Pages of records with another path than their noun, or without a drawer. */
const otherPlaces: Readonly<Record<string, (row: SearchRow) => string>> = {
  internalTransfer: ({ id }) => `/internalTransfer?id=${id}&open=${id}`,
  trade: ({ id }) => `/trade/order?id=${id}&open=${id}`,
  future: ({ id, state }) => `/future/${futurePage(state)}?id=${id}&open=${id}`,
  second: ({ id, state }) => `/second/${state === BINARY_CONTRACT.open ? 'open' : 'close'}?id=${id}&open=${id}`,
  ieo: ({ id, state }) => `/ieo/${state === IEO.waiting ? 'review' : 'history'}?id=${id}&open=${id}`,
};

export function choiceOf(row: SearchRow): Choice {
  const { type, id, no, account, detail, state } = row;
  const { label = type, states } = targets[type] ?? {};
  const note = [no, type === 'user' ? '' : account, states?.[state], detail].filter(Boolean).join(' · ');
  return {
    path: otherPlaces[type]?.(row) ?? placeOf(type, id),
    title: type === 'user' ? account : `${label} #${id}`,
    kind: type === 'user' ? `用户 #${id}` : label,
    note,
  };
}

/** Pages that the operator may open, with their menu group. */
export function pageChoices(me: Me): Choice[] {
  const groups = new Map(
    menuOf(me).flatMap(({ label, children = [] }) => children.map(({ path }) => [path, label] as const)),
  );
  return getPages()
    .filter((page) => page.pinyin !== '' && canOpen(me, page))
    .map(({ path, title, pinyin }) => ({ path, title, pinyin, kind: groups.get(path) ?? '页面' }));
}

/** Pages that match the input, best match first, otherwise in table order. */
export const matchPages = (choices: readonly Choice[], typed: string): Choice[] =>
  choices
    .map((choice) => ({ choice, rank: rankTitle(choice.title, choice.pinyin ?? '', typed) }))
    .filter((one): one is { choice: Choice; rank: number } => one.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);

const SETTINGS_MAX = 5;

/** Settings that match the input. Each opens the page of settings with this one only. */
export const settingChoices = (settings: readonly ConfigRow[], typed: string): Choice[] =>
  findSettings(settings, typed)
    .slice(0, SETTINGS_MAX)
    .map(({ name, group }) => ({
      path: `/config?${new URLSearchParams({ find: name }).toString()}`,
      title: name,
      kind: '设置',
      note: group,
    }));

/** The server refuses no other text: accounts and remarks are found by any part. */
export const isSearchable = (typed: string): boolean => typed !== '' && typed.length <= SEARCH_TEXT_MAX;

export const startsWithText = (account: string, text: string): boolean =>
  account.toLowerCase().startsWith(text.toLowerCase());

/** A choice as stored in the recent list; users are stored by number, not by account. */
export const toStored = ({ path, title, kind }: Choice): Choice => ({
  path,
  title: kind.startsWith('用户 #') ? kind : title,
  kind: kind.startsWith('用户 #') ? '用户' : kind,
});

/** Recent choices that the operator may still open. */
export const visibleRecentChoices = (stored: readonly Choice[], me: Me): Choice[] =>
  stored.filter(({ path }) => {
    const match = matchPage(path.split('?')[0] ?? '');
    return match !== undefined && canOpen(me, match.page);
  });
