import { nouns } from '@hengtai/contract/index';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { describe, expect, test } from 'vitest';
import { SHOWN_IN, makesStale } from './stale.ts';

const calls: readonly (CallSpec & { noun: string })[] = Object.entries(nouns).flatMap(([noun, ofNoun]) =>
  Object.values<CallSpec>(ofNoun).map((call) => ({ ...call, noun })),
);
const reads = calls.filter(({ kind }) => kind === 'read' || kind === 'list');
const actions = calls.filter(({ kind, lookup }) => kind === 'action' && !lookup);

describe('after an action', () => {
  test('the list and the detail of its noun are refetched', () => {
    const missed = actions.flatMap((action) => {
      const isStale = makesStale(action);
      return reads
        .filter(({ noun, path }) => noun === action.noun && /\/(list|detail)$/.test(path) && !isStale(path))
        .map(({ path }) => `${action.path} leaves ${path}`);
    });
    expect(missed).toEqual([]);
  });

  test('the reads of its target are refetched', () => {
    const isStale = makesStale(nouns.asset.activeAdd);
    expect([nouns.user.list, nouns.user.asset, nouns.fund.record, nouns.home.state].map(({ path }) => isStale(path))) //
      .toEqual([true, true, true, true]);
  });

  test('the details of records are refetched when their user changes', () => {
    const isStale = makesStale(nouns.user.enable);
    expect(['withdraw/detail', 'withdraw/limit', 'auth/detail', 'ieo/order/detail'].map(isStale)) //
      .toEqual([true, true, true, true]);
  });

  test('other topics are left alone, also with a similar name', () => {
    const isStale = makesStale(nouns.user.enable);
    expect([nouns.agent.list.path, nouns.withdraw.list.path, 'user_other/list'].map(isStale)) //
      .toEqual([false, false, false]);
  });

  test('a lookup changes nothing', () => {
    expect(makesStale(nouns.auth.find)(nouns.auth.list.path)).toBe(false);
  });

  test('every topic and every beginning names a call', () => {
    const paths = calls.map(({ path }) => path);
    const named = Object.entries(SHOWN_IN).flat(2);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !paths.some((path) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
  });
});
