import type { support } from '@hengtai/contract/support';
import type { InputOf } from '@hengtai/contract/endpoint';

type ListInput = InputOf<(typeof support)['list']>;

/** Parts of the list of conversations, by what of the address says it. */
export const views = [
  { key: 'all', label: '全部', query: {} },
  { key: 'unread', label: '未读', query: { unread: 1 } },
  { key: 'mine', label: '我的', query: { mine: 1 } },
  { key: 'free', label: '待分配', query: { assigned: 0, state: 1 } },
  { key: 'closed', label: '已关闭', query: { state: 0 } },
] as const satisfies readonly { key: string; label: string; query: ListInput }[];
export type ViewKey = (typeof views)[number]['key'];

const FIELDS = ['unread', 'mine', 'assigned', 'state'] as const;

/** The part that an address means; what is in none of them is everything. */
export function viewOf(search: URLSearchParams): ViewKey {
  const said = FIELDS.filter((field) => search.has(field));
  const found = views.find(
    ({ query }) =>
      Object.keys(query).length === said.length &&
      Object.entries(query).every(([field, value]) => search.get(field) === String(value)),
  );
  return found?.key ?? 'all';
}

/** The same address with another part in sight. */
export function withView(search: URLSearchParams, key: ViewKey): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const field of [...FIELDS, 'page']) next.delete(field);
  for (const [field, value] of Object.entries(views.find((view) => view.key === key)?.query ?? {}))
    next.set(field, String(value));
  return next;
}

export const PAGE = 50;

/** What is asked for under an address: what is unread first. */
export function inputOf(search: URLSearchParams): ListInput {
  const account = (search.get('account') ?? '').trim();
  const page = Math.min(Math.max(Math.trunc(Number(search.get('page'))) || 1, 1), 10_000);
  const { query } = views.find(({ key }) => key === viewOf(search)) ?? views[0];
  return {
    ...query,
    ...(account === '' ? {} : { account: `${account.replace(/\*$/, '')}*` }),
    page,
    size: PAGE,
    sort: '-turn',
  };
}
