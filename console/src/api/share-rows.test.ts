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

test('an answer in which nothing changed is the former one', () => {
  const before = answer([row(2), row(1)]);
  expect(shareRows(before, answer([row(2), row(1)]), idOf)).toBe(before);
});

test('a row keeps its identity wherever it moves to', () => {
  const before = answer([row(3), row(2), row(1)]);
  const fresh = shareRows(before, answer([row(4), row(3), row(1)]), idOf);
  expect(fresh.list[1]).toBe(before.list[0]);
  expect(fresh.list[2]).toBe(before.list[2]);
  expect(fresh.list[0]).toEqual(row(4));
});

test('a row with another value is another row, and says what the server said', () => {
  const before = answer([row(2), row(1)]);
  const fresh = shareRows(before, answer([row(2), row(1, 'new')]), idOf);
  expect(fresh.list[0]).toBe(before.list[0]);
  expect(fresh.list[1]).not.toBe(before.list[1]);
  expect(fresh).toEqual(answer([row(2), row(1, 'new')]));
});

test('another order of the same rows is another list', () => {
  const before = answer([row(2), row(1)]);
  expect(shareRows(before, answer([row(1), row(2)]), idOf).list.map(idOf)).toEqual([1, 2]);
});

test('another total leaves the rows as they are', () => {
  const before = answer([row(1)]);
  const fresh = shareRows(before, answer([row(1)], 9), idOf);
  expect(fresh.total).toBe(9);
  expect(fresh.list).toBe(before.list);
});
