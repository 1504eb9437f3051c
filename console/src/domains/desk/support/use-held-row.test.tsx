// @vitest-environment happy-dom
import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useHeldRow } from './use-held-row.ts';

afterEach(cleanup);

const row = (id: number, unread = 0) => ({ id, unread }) as SupportRow;

test('the open conversation stays in its place until another one, page or filter is chosen', () => {
  const initial = { rows: [row(1, 1), row(2, 1), row(3)], open: 2 as number | undefined, source: 'all' };
  const { result, rerender } = renderHook(({ rows, open, source }) => useHeldRow(rows, open, source), {
    initialProps: initial,
  });
  const shown = () => result.current?.map(({ id, unread }) => [id, unread]);
  // Read, it would fall behind; a new message of 3 would move that one to the top.
  rerender({ ...initial, rows: [row(3, 1), row(1, 1), row(2)] });
  expect(shown()).toEqual([
    [3, 1],
    [2, 0],
    [1, 1],
  ]);
  // The filter removes it.
  rerender({ ...initial, rows: [row(1, 1)] });
  expect(shown()).toEqual([
    [1, 1],
    [2, 0],
  ]);
  rerender({ rows: [row(1, 1)], open: 1, source: 'all' });
  expect(shown()).toEqual([[1, 1]]);
  rerender({ rows: [row(9)], open: 1, source: 'page 2' });
  expect(shown()).toEqual([[9, 0]]);
});
