// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { RESUME_KEY } from '../api/handover.ts';
import { readTabs, saveTabs } from './saved-tabs.ts';

const tabs = [{ key: '/user', search: '?account=zz*', pinned: true, name: undefined }];
const keysOf = (admin: string) => readTabs(admin).map(({ key }) => key);

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test('a reload of the window restores tabs with filters and pins', () => {
  saveTabs('alice', tabs);
  expect(readTabs('alice')).toMatchObject([{ key: '/user', search: '?account=zz*', pinned: true }]);
});

test('only the next login of the same operator restores the tabs in a new window', () => {
  saveTabs('alice', tabs);
  sessionStorage.clear();
  expect(keysOf('alice')).toEqual([]);
  sessionStorage.setItem(RESUME_KEY, '1');
  expect(keysOf('bob')).toEqual([]);
  sessionStorage.setItem(RESUME_KEY, '1');
  expect(keysOf('alice')).toEqual(['/user']);
});

test('what is not a list of tabs is ignored', () => {
  for (const stored of ['{', '{}', '[{"key":1}]']) {
    sessionStorage.setItem('hengtai.tabs.alice', stored);
    expect(keysOf('alice')).toEqual([]);
  }
});
