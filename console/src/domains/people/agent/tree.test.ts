import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { expect, test } from 'vitest';
import { type Branch, flattenTree } from './tree.ts';

const row = (id: number, agentCount = 0): AgentRow => ({ id, agentCount }) as AgentRow;
const branches: Record<number, Branch> = {
  1: { rows: [row(3, 1), row(4)], total: 5 },
  3: { rows: [row(5)], total: 1 },
};
const idsOf = (expanded: number[], top = [row(1, 3), row(2)]) =>
  flattenTree(top, (id) => branches[id], new Set(expanded)).rows.map(({ id }) => id);

test('expanded children follow their parent', () => {
  expect(idsOf([])).toEqual([1, 2]);
  expect(idsOf([1])).toEqual([1, 3, 4, 2]);
  expect(idsOf([1, 3])).toEqual([1, 3, 5, 4, 2]);
});

test('a collapsed branch hides its expanded descendants', () => {
  expect(idsOf([3])).toEqual([1, 2]);
});

test('reports level, loading state and hidden children of each row', () => {
  const { nodes } = flattenTree([row(1, 3), row(2, 9)], (id) => branches[id], new Set([1, 2, 3]));
  expect(nodes.get(1)).toMatchObject({ level: 0, parent: undefined, isOpen: true, hiddenChildren: 3 });
  expect(nodes.get(5)).toMatchObject({ level: 2, parent: 3, hasChildren: false, isOpen: false });
  expect(nodes.get(2)).toMatchObject({ isLoading: true, hiddenChildren: 0 });
});

test('an agent that two pages contain is listed once', () => {
  expect(idsOf([1, 3], [row(1, 3), row(5)])).toEqual([1, 3, 5, 4]);
});
