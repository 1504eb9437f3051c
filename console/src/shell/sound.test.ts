import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { describe, expect, test } from 'vitest';
import { type SoundChoice, isQuiet, isSoundChoice, soundFor } from './sound.ts';

const choice: SoundChoice = { on: true, kinds: ['withdraw.requested'], quiet: true, from: 22 * 60, to: 8 * 60 };
const ZONE = 'Asia/Shanghai';
/** A moment of 2026-03-08 by the clock of that zone. */
const at = (clock: string): number => Date.parse(`2026-03-08T${clock}:00+08:00`);

const notification = (of: Partial<NotificationRow>): NotificationRow => ({
  id: 1,
  at: at('12:00'),
  type: 'withdraw.requested',
  noun: 'withdraw',
  refType: 'withdraw',
  refId: 1,
  userId: 1,
  account: 'user',
  agent: 'agent',
  marketName: 'USDT',
  amount: '1',
  state: 0,
  detail: '',
  own: false,
  ...of,
});

describe('quiet hours', () => {
  test.each([
    ['21:59', false],
    ['22:00', true],
    ['03:00', true],
    ['07:59', true],
    ['08:00', false],
  ])('over midnight, at %s: %s', (clock, quiet) => {
    expect(isQuiet(choice, at(clock), ZONE)).toBe(quiet);
  });

  test('within a day, in the zone of the operator, and never when both ends are the same', () => {
    const noon = { ...choice, from: 12 * 60, to: 13 * 60 };
    expect(isQuiet(noon, at('12:30'), ZONE)).toBe(true);
    expect(isQuiet(noon, at('12:30'), 'UTC')).toBe(false);
    expect(isQuiet({ ...choice, from: 0, to: 0 }, at('00:00'), ZONE)).toBe(false);
    expect(isQuiet({ ...choice, quiet: false }, at('23:00'), ZONE)).toBe(false);
  });
});

describe('a sound is heard', () => {
  const now = at('12:01');

  test('for the last of what was chosen', () => {
    const notifications = [
      notification({ id: 1 }),
      notification({ id: 2 }),
      notification({ id: 3, type: 'withdraw.paid' }),
    ];
    expect(soundFor(notifications, choice, now, ZONE)?.id).toBe(2);
  });

  test.each<[string, Partial<NotificationRow>, Partial<SoundChoice>]>([
    ['when it is off', {}, { on: false }],
    ['for one’s own action', { own: true }, {}],
    ['for what was missed a while ago', { at: now - 3 * 60_000 }, {}],
    ['for what was not chosen', {}, { kinds: [] }],
    ['in quiet hours', {}, { from: 12 * 60, to: 13 * 60 }],
  ])('not %s', (_, of, chosen) => {
    expect(soundFor([notification(of)], { ...choice, ...chosen }, now, ZONE)).toBeUndefined();
  });
});

test('what was stored is taken only if it is whole, without kinds that are no more', () => {
  expect(isSoundChoice({ ...choice, kinds: ['withdraw.requested', 'gone'] })).toEqual(choice);
  for (const broken of [null, 'on', {}, { ...choice, from: 1440 }, { ...choice, on: 1 }, { ...choice, kinds: 'all' }]) {
    expect(isSoundChoice(broken)).toBeUndefined();
  }
});
