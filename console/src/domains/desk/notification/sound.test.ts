import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { describe, expect, test } from 'vitest';
import { type SoundChoice, isQuietTime, parseSoundChoice, soundFor } from './sound.ts';

const choice: SoundChoice = { on: true, kinds: ['withdraw.requested'], quiet: true, from: 22 * 60, to: 8 * 60 };
const ZONE = 'Asia/Shanghai';
/** A time on 2026-03-08 in that zone. */
const at = (clock: string): number => Date.parse(`2026-03-08T${clock}:00+08:00`);

const notification = (fields: Partial<NotificationRow>): NotificationRow => ({
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
  ...fields,
});

describe('quiet hours', () => {
  test.each([
    ['21:59', false],
    ['22:00', true],
    ['03:00', true],
    ['07:59', true],
    ['08:00', false],
  ])('can span midnight: %s is %s', (clock, quiet) => {
    expect(isQuietTime(choice, at(clock), ZONE)).toBe(quiet);
  });

  test('can lie within a day, follow the zone, and never apply with equal ends', () => {
    const noon = { ...choice, from: 12 * 60, to: 13 * 60 };
    expect(isQuietTime(noon, at('12:30'), ZONE)).toBe(true);
    expect(isQuietTime(noon, at('12:30'), 'UTC')).toBe(false);
    expect(isQuietTime({ ...choice, from: 0, to: 0 }, at('00:00'), ZONE)).toBe(false);
    expect(isQuietTime({ ...choice, quiet: false }, at('23:00'), ZONE)).toBe(false);
  });
});

describe('a sound is played', () => {
  const now = at('12:01');

  test('for the latest notification of a chosen kind', () => {
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
    ['for an old notification', { at: now - 3 * 60_000 }, {}],
    ['for a kind not chosen', {}, { kinds: [] }],
    ['in quiet hours', {}, { from: 12 * 60, to: 13 * 60 }],
  ])('not %s', (_, fields, chosen) => {
    expect(soundFor([notification(fields)], { ...choice, ...chosen }, now, ZONE)).toBeUndefined();
  });
});

test('validates a stored choice and drops unknown kinds', () => {
  expect(parseSoundChoice({ ...choice, kinds: ['withdraw.requested', 'gone'] })).toEqual(choice);
  for (const broken of [null, 'on', {}, { ...choice, from: 1440 }, { ...choice, on: 1 }, { ...choice, kinds: 'all' }]) {
    expect(parseSoundChoice(broken)).toBeUndefined();
  }
});
