import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { type Ctx, can } from '../../../app/context.ts';
import { refuse, refuseField } from '../../../app/refuse.ts';
import { queryParser } from '../../../http/input.ts';

export interface ListCall {
  noun: string;
  name: string;
  call: CallSpec;
  read: (query: unknown) => unknown;
}

/** Every list of the contract, by the path of its call. */
export const lists: ReadonlyMap<string, ListCall> = new Map(
  Object.entries<Record<string, Endpoint>>(endpoints).flatMap(([noun, ends]) =>
    Object.entries(ends).flatMap(([name, { call, input }]): [string, ListCall][] =>
      call.kind === 'list' ? [[call.path, { noun, name, call, read: queryParser(input, true) }]] : [],
    ),
  ),
);

/**
 * The list of a path.
 *
 * @throws Refused 422 for an unknown list, 403 for one that the operator may not see
 */
export function requireList({ operator }: Pick<Ctx, 'operator'>, path: string): ListCall {
  const list = lists.get(path);
  if (!list) throw refuseField('list', '格式不正确');
  if (list.call.ability !== undefined && !can(operator, list.call.ability)) throw refuse(refusals.forbidden);
  return list;
}

/** @throws Refused 422 if the list does not accept the query */
export function parseFilters({ read }: ListCall, query: string): Record<string, unknown> {
  const pairs = [...new URLSearchParams(query)];
  const values: Record<string, string> = Object.fromEntries(pairs);
  if (Object.keys(values).length < pairs.length) throw refuseField('query', '重复');
  return read(values) as Record<string, unknown>;
}
