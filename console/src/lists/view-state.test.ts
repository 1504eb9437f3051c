import type { ListSpec } from '@hengtai/contract/wire/list';
import { describe, expect, it } from 'vitest';
import { readAddress, withoutBaseFilters, withBaseFilters } from './list-address.ts';
import { activeView, queryOfState, stripBaseFilters, stateOfQuery, addBaseFilters } from './view-state.ts';

const spec: ListSpec = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: { 0: '待审核', 4: '已完成' } },
  ],
  sortable: ['amount'],
};
const at = (query: string) => readAddress(spec, new URLSearchParams(query));

describe('a view', () => {
  it('contains filters, dates and order, but not page, size or open record', () => {
    const state = at('sort=-amount&state=0&page=7&size=50&open=3&from=1&to=2&account=a*');
    expect(queryOfState(spec, state)).toBe('account=a*&state=0&from=1&to=2&sort=-amount');
  });

  it('restores the state that was saved', () => {
    for (const query of ['', 'state=0', 'account=%E4%B8%AD+%2B&sort=createdAt', 'from=5&to=9']) {
      const state = stateOfQuery(spec, query);
      expect(state && queryOfState(spec, state)).toBe(query);
    }
    expect(stateOfQuery(spec, 'size=20&page=3&state=4')).toMatchObject({ filters: { state: 4 }, page: 1 });
  });

  it('is invalid when the list does not know its fields or values', () => {
    for (const query of ['state=9', 'gone=1', 'state=0&gone=1', 'sort=gone', 'state=-1', 'state=0&state=4']) {
      expect(stateOfQuery(spec, query)).toBeUndefined();
    }
  });
});

describe('the active view', () => {
  const views = [
    { key: 'a', query: 'state=0' },
    { key: 'b', query: 'sort=-amount&state=0' },
    { key: 'c', query: 'state=0' },
    { key: 'broken', query: 'gone=1' },
  ];
  it('is found by filters and order, ignoring page and size', () => {
    expect(activeView(spec, at('state=0&page=2&size=50'), views, undefined)?.key).toBe('a');
    expect(activeView(spec, at('state=0&sort=-amount'), views, undefined)?.key).toBe('b');
    expect(activeView(spec, at('state=4'), views, undefined)).toBeUndefined();
    expect(activeView(spec, at(''), views, undefined)).toBeUndefined();
  });
  it('is the one opened last if two are equal', () => {
    expect(activeView(spec, at('state=0'), views, 'c')?.key).toBe('c');
    expect(activeView(spec, at('state=0'), views, 'b')?.key).toBe('a');
  });
});

describe('base filters', () => {
  const waiting = { state: 0 };

  it('are added to the input and ignored in the address', () => {
    const reduced = withoutBaseFilters(spec, waiting);
    const state = readAddress(reduced, new URLSearchParams('account=a*&state=4'));
    expect(queryOfState(reduced, state)).toBe('account=a*');
    expect(withBaseFilters(state, waiting).filters).toEqual({ account: 'a*', state: 0 });
    expect(withBaseFilters(state, undefined)).toBe(state);
  });

  it('select the views of the page and are stored with them', () => {
    expect(stripBaseFilters('account=a*&state=0', waiting)).toBe('account=a*');
    expect(stripBaseFilters('account=a*&state=4', waiting)).toBeUndefined();
    expect(stripBaseFilters('account=a*', waiting)).toBeUndefined();
    expect(addBaseFilters('account=a*', waiting)).toBe('account=a*&state=0');
    for (const query of ['', 'state=4'])
      expect([stripBaseFilters(query, undefined), addBaseFilters(query, undefined)]).toEqual([query, query]);
  });
});
