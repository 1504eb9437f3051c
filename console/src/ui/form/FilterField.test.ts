import { filtersOf } from '@hengtai/contract/wire/list';
import { nouns } from '@hengtai/contract/index';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { expect, test } from 'vitest';
import { noFilterLabel } from './FilterField.tsx';

test('no filter offers the same words twice', () => {
  const calls: CallSpec[] = Object.values(nouns).flatMap((noun) => Object.values(noun));
  const filters = calls.flatMap(({ list }) => (list ? filtersOf(list) : [])).filter(({ options }) => options);
  expect(filters.length).toBeGreaterThan(50);
  const doubled = filters.filter(({ options = {} }) => {
    const labels = [noFilterLabel(options), ...Object.values(options)];
    return new Set(labels).size < labels.length;
  });
  expect(doubled.map(({ label }) => label)).toEqual([]);
  expect(noFilterLabel({ 0: '全部端', 1: '网页' })).toBe('不限');
  expect(noFilterLabel({ 0: '关', 1: '开' })).toBe('全部');
});
