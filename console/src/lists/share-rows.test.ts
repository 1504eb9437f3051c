import { expect, test } from 'vitest';
import { shareRows } from './share-rows.ts';

interface Row {
  id: number;
  v: string;
  tags?: string[];
}
const idOf = ({ id }: Row) => id;
const answer = (list: Row[], total = list.length) => ({ list, total, summary: [{ count: total }] });
const row = (id: number, v = 'old'): Row => ({ id, v, tags: ['a'] });

test('returns the previous response when nothing changed', () => {
  const before = answer([row(2), row(1)]);
  expect(shareRows(before, answer([row(2), row(1)]), idOf)).toBe(before);
});

test('keeps the identity of a row that moved', () => {
  const before = answer([row(3), row(2), row(1)]);
  const latest = shareRows(before, answer([row(4), row(3), row(1)]), idOf);
  expect(latest.list[1]).toBe(before.list[0]);
  expect(latest.list[2]).toBe(before.list[2]);
  expect(latest.list[0]).toEqual(row(4));
});

test('replaces a row whose value changed', () => {
  const before = answer([row(2), row(1)]);
  const latest = shareRows(before, answer([row(2), row(1, 'new')]), idOf);
  expect(latest.list[0]).toBe(before.list[0]);
  expect(latest.list[1]).not.toBe(before.list[1]);
  expect(latest).toEqual(answer([row(2), row(1, 'new')]));
});

test('follows a changed order of the same rows', () => {
  const before = answer([row(2), row(1)]);
  expect(shareRows(before, answer([row(1), row(2)]), idOf).list.map(idOf)).toEqual([1, 2]);
});

test('keeps the rows when only the total changed', () => {
  const before = answer([row(1)]);
  const latest = shareRows(before, answer([row(1)], 9), idOf);
  expect(latest.total).toBe(9);
  expect(latest.list).toBe(before.list);
});
