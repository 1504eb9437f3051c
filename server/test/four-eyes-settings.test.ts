import { POLICY_PREFIX } from '@hengtai/contract/desk/approval/calls';
import { loosensSetting, settingGuards } from '@hengtai/contract/authority/four-eyes';
import { expect, test } from 'vitest';
import { type Setting, isLooserSetting } from './four-eyes-setting-rules.ts';

/** Pairs of values that differ in one part. */
function changesOf(key: string): [before: Setting, after: Setting][] {
  const value = { key, num: '1', state: 1, str: '' };
  const texts = ['', 'x'].map((str) => ({ ...value, str }));
  const states = (key.startsWith(POLICY_PREFIX) ? [0, 1, 2] : [0, 1]).map((state) => ({ ...value, state }));
  const numbers = ['0', '1', '5', '100'].map((num) => ({ ...value, num }));
  return [texts, states, numbers].flatMap((values) =>
    values.flatMap((before) => values.map((after): [Setting, Setting] => [before, after])),
  );
}

test.each(Object.keys(settingGuards))('nobody loosens %s alone', (key) => {
  const policy = { key: `${POLICY_PREFIX}${key.slice(key.indexOf('.') + 1)}`, num: '2', state: 1, str: '' };
  const looser = changesOf(key).filter(([before, after]) => isLooserSetting(before, after, [policy]));
  expect(looser.length).toBeGreaterThan(0);
  expect(looser.filter(([before, after]) => !loosensSetting(key, before, after))).toEqual([]);
});
