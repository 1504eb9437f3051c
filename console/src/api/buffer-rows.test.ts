import { describe, expect, it } from 'vitest';
import { bufferRows } from './buffer-rows.ts';

const rows = (...ids: number[]) => ids.map((id) => ({ id, v: 'old' }));
const fresh = (...ids: number[]) => ids.map((id) => ({ id, v: 'new' }));
const ids = (list: readonly { id: number }[]) => list.map((row) => row.id);

describe('holdBack', () => {
  it('shows fresh values in the old places', () => {
    const held = bufferRows(rows(3, 2, 1), fresh(3, 2, 1), 10, 0);
    expect(held).toEqual({ rows: fresh(3, 2, 1), waiting: 0 });
  });
  it('counts what came in above and keeps what it pushed off', () => {
    const held = bufferRows(rows(3, 2, 1), fresh(5, 4, 3), 3, 2);
    expect(held).toEqual({ rows: [...fresh(3), ...rows(2, 1)], waiting: 2 });
  });
  it('drops what no longer matches and fills up from below', () => {
    const held = bufferRows(rows(5, 4, 3), fresh(5, 3, 2), 3, 0);
    expect(ids(held.rows)).toEqual([5, 3, 2]);
    expect(held.waiting).toBe(0);
  });
  it('drops the last row when nothing pushed it off', () => {
    expect(ids(bufferRows(rows(3, 2, 1), fresh(3, 2), 10, -1).rows)).toEqual([3, 2]);
  });
  it('waits with a whole page of newer rows', () => {
    const held = bufferRows(rows(2, 1), fresh(9, 8), 2, 7);
    expect(ids(held.rows)).toEqual([2, 1]);
    expect(held.waiting).toBe(7);
  });
  it('does not hold anything back from an empty table', () => {
    expect(bufferRows([], fresh(2, 1), 10, 2)).toEqual({ rows: fresh(2, 1), waiting: 0 });
  });
  it('empties the table when all is gone', () => {
    expect(bufferRows(rows(2, 1), [], 10, -2)).toEqual({ rows: [], waiting: 0 });
  });
});
