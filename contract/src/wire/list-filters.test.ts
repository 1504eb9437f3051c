import { expect, test } from 'vitest';
import type { CallSpec } from './endpoint.ts';
import { nouns } from '../index.ts';
import { type ListSpec, filtersOf } from './list.ts';

const lists = Object.values<Record<string, CallSpec>>(nouns)
  .flatMap((calls) => Object.values(calls))
  .flatMap(({ path, kind, list }): [string, ListSpec][] => (list && kind !== 'export' ? [[path, list]] : []));

/** The filters that a list shows before the operator unfolds the others. */
const unfolded = (list: ListSpec): string[] => filtersOf(list).flatMap(({ field, more }) => (more ? [] : [field]));

/** Their rows are actions of operators or entries of the house, some of them about a user. */
const OF_OTHERS = ['audit/list', 'approval/list', 'house/entries'];

test('every list of rows of users shows the filter of an agent with its subtree', () => {
  const ofUsers = lists.filter(
    ([path, { columns }]) => !OF_OTHERS.includes(path) && columns?.some(({ kind }) => kind === 'user'),
  );
  expect(ofUsers.length).toBeGreaterThan(12);
  expect(ofUsers.filter(([, list]) => !unfolded(list).includes('agentRoot')).map(([path]) => path)).toEqual([]);
});

test('lists of futures show the filters of number and market', () => {
  const futures = lists.filter(([path]) => path.startsWith('future/'));
  expect(futures.length).toBeGreaterThan(1);
  for (const [path, list] of futures)
    expect([path, ...unfolded(list)]).toEqual(expect.arrayContaining([path, 'id', 'marketId']));
});
