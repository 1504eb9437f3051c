import { describe, expect, it } from 'vitest';
import { bufferRows } from './buffer-rows.ts';

const rows = (...ids: number[]) => ids.map((id) => ({ id, v: 'old' }));
const latest = (...ids: number[]) => ids.map((id) => ({ id, v: 'new' }));
const ids = (list: readonly { id: number }[]) => list.map((row) => row.id);

describe('bufferRows', () => {
  it('updates values without moving rows', () => {
    const buffered = bufferRows(rows(3, 2, 1), latest(3, 2, 1), 10, 0);
    expect(buffered).toEqual({ rows: latest(3, 2, 1), waiting: 0 });
  });
  it('counts new rows at the top and keeps the rows they pushed off the page', () => {
    const buffered = bufferRows(rows(3, 2, 1), latest(5, 4, 3), 3, 2);
    expect(buffered).toEqual({ rows: [...latest(3), ...rows(2, 1)], waiting: 2 });
  });
  it('drops rows that no longer match and fills the page from below', () => {
    const buffered = bufferRows(rows(5, 4, 3), latest(5, 3, 2), 3, 0);
    expect(ids(buffered.rows)).toEqual([5, 3, 2]);
    expect(buffered.waiting).toBe(0);
  });
  it('drops the last row when no new row pushed it off', () => {
    expect(ids(bufferRows(rows(3, 2, 1), latest(3, 2), 10, -1).rows)).toEqual([3, 2]);
  });
  it('keeps the rows when a whole page of newer rows arrived', () => {
    const buffered = bufferRows(rows(2, 1), latest(9, 8), 2, 7);
    expect(ids(buffered.rows)).toEqual([2, 1]);
    expect(buffered.waiting).toBe(7);
  });
  it('buffers nothing when the table is empty', () => {
    expect(bufferRows([], latest(2, 1), 10, 2)).toEqual({ rows: latest(2, 1), waiting: 0 });
  });
  it('empties the table when all rows are gone', () => {
    expect(bufferRows(rows(2, 1), [], 10, -2)).toEqual({ rows: [], waiting: 0 });
  });
});
