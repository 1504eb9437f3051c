import type { support } from '@hengtai/contract/desk/support/calls';
import type { InputOf } from '@hengtai/contract/wire/endpoint';

type ListInput = InputOf<(typeof support)['list']>;

/** The views of the list of conversations, with the query parameters that select them. */
export const views = [
  { key: 'all', label: '全部', query: {} },
  { key: 'unread', label: '未读', query: { unread: 1 } },
  { key: 'mine', label: '我的', query: { mine: 1 } },
  { key: 'free', label: '待分配', query: { assigned: 0, state: 1 } },
  { key: 'closed', label: '已关闭', query: { state: 0 } },
] as const satisfies readonly { key: string; label: string; query: ListInput }[];
export type ViewKey = (typeof views)[number]['key'];

const FIELDS = ['unread', 'mine', 'assigned', 'state'] as const;

/** The view that the address selects; `all` if its parameters match no view. */
export function viewOf(search: URLSearchParams): ViewKey {
  const presentFields = FIELDS.filter((field) => search.has(field));
  const match = views.find(
    ({ query }) =>
      Object.keys(query).length === presentFields.length &&
      Object.entries(query).every(([field, value]) => search.get(field) === String(value)),
  );
  return match?.key ?? 'all';
}

/** The address with another view. */
export function withView(search: URLSearchParams, key: ViewKey): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const field of [...FIELDS, 'page']) next.delete(field);
  for (const [field, value] of Object.entries(views.find((view) => view.key === key)?.query ?? {}))
    next.set(field, String(value));
  return next;
}

export const PAGE_SIZE = 50;

/** The list input for an address, sorted with unread conversations first. */
export function inputOf(search: URLSearchParams): ListInput {
  const account = (search.get('account') ?? '').trim();
  const page = Math.min(Math.max(Math.trunc(Number(search.get('page'))) || 1, 1), 10_000);
  const { query } = views.find(({ key }) => key === viewOf(search)) ?? views[0];
  return {
    ...query,
    ...(account === '' ? {} : { account: `${account.replace(/\*$/, '')}*` }),
    page,
    size: PAGE_SIZE,
    sort: '-turn',
  };
}
