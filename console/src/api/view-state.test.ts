import type { ListSpec } from '@hengtai/contract/list';
import { describe, expect, it } from 'vitest';
import { readAddress, specWithin, stateWithin } from './list-address.ts';
import { activeView, queryOfState, queryWithin, stateOfQuery, wholeQuery } from './view-state.ts';

const spec: ListSpec = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: { 0: '待审核', 4: '已完成' } },
  ],
  sortable: ['amount'],
};
const at = (query: string) => readAddress(spec, new URLSearchParams(query));

describe('a view', () => {
  it('keeps filters, dates and order, and neither page nor size nor an open drawer', () => {
    const state = at('sort=-amount&state=0&page=7&size=50&open=3&from=1&to=2&account=a*');
    expect(queryOfState(spec, state)).toBe('account=a*&state=0&from=1&to=2&sort=-amount');
  });

  it('leads back to where it was saved', () => {
    for (const query of ['', 'state=0', 'account=%E4%B8%AD+%2B&sort=createdAt', 'from=5&to=9']) {
      const state = stateOfQuery(spec, query);
      expect(state && queryOfState(spec, state)).toBe(query);
    }
    expect(stateOfQuery(spec, 'size=20&page=3&state=4')).toMatchObject({ filters: { state: 4 }, page: 1 });
  });

  it('that says what the list no longer knows leads nowhere', () => {
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
  it('follows from the address, whatever its order, page and size', () => {
    expect(activeView(spec, at('state=0&page=2&size=50'), views, undefined)?.key).toBe('a');
    expect(activeView(spec, at('state=0&sort=-amount'), views, undefined)?.key).toBe('b');
    expect(activeView(spec, at('state=4'), views, undefined)).toBeUndefined();
    expect(activeView(spec, at(''), views, undefined)).toBeUndefined();
  });
  it('of two that are alike is the one chosen last', () => {
    expect(activeView(spec, at('state=0'), views, 'c')?.key).toBe('c');
    expect(activeView(spec, at('state=0'), views, 'b')?.key).toBe('a');
  });
});

describe('a part of a list', () => {
  const waiting = { state: 0 };

  it('is always asked for, and never chosen', () => {
    const own = specWithin(spec, waiting);
    const state = readAddress(own, new URLSearchParams('account=a*&state=4'));
    expect(queryOfState(own, state)).toBe('account=a*');
    expect(stateWithin(state, waiting).filters).toEqual({ account: 'a*', state: 0 });
    expect(stateWithin(state, undefined)).toBe(state);
  });

  it('has the views that are of it, and keeps them so that the whole list knows them', () => {
    expect(queryWithin('account=a*&state=0', waiting)).toBe('account=a*');
    expect(queryWithin('account=a*&state=4', waiting)).toBeUndefined();
    expect(queryWithin('account=a*', waiting)).toBeUndefined();
    expect(wholeQuery('account=a*', waiting)).toBe('account=a*&state=0');
    for (const query of ['', 'state=4'])
      expect([queryWithin(query, undefined), wholeQuery(query, undefined)]).toEqual([query, query]);
  });
});
