import type { AgentRow } from '@hengtai/contract/agent.schema';
import { expect, test } from 'vitest';
import { type Branch, flatten } from './tree.ts';

const row = (id: number, agentCount = 0): AgentRow => ({ id, agentCount }) as AgentRow;
const branches: Record<number, Branch> = {
  1: { rows: [row(3, 1), row(4)], total: 5 },
  3: { rows: [row(5)], total: 1 },
};
const idsOf = (expanded: number[], top = [row(1, 3), row(2)]) =>
  flatten(top, (id) => branches[id], new Set(expanded)).rows.map(({ id }) => id);

test('what is unfolded stands right below its parent', () => {
  expect(idsOf([])).toEqual([1, 2]);
  expect(idsOf([1])).toEqual([1, 3, 4, 2]);
  expect(idsOf([1, 3])).toEqual([1, 3, 5, 4, 2]);
});

test('a folded branch keeps what is unfolded in it out of sight', () => {
  expect(idsOf([3])).toEqual([1, 2]);
});

test('says where each row stands, what is on its way and what is not shown', () => {
  const { nodes } = flatten([row(1, 3), row(2, 9)], (id) => branches[id], new Set([1, 2, 3]));
  expect(nodes.get(1)).toMatchObject({ level: 0, parent: undefined, open: true, beyond: 3 });
  expect(nodes.get(5)).toMatchObject({ level: 2, parent: 3, branches: false, open: false });
  expect(nodes.get(2)).toMatchObject({ loading: true, beyond: 0 });
});

test('an agent that is read twice stands there once', () => {
  expect(idsOf([1, 3], [row(1, 3), row(5)])).toEqual([1, 3, 5, 4]);
});
