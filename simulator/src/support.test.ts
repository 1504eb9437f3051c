import { SUPPORT_RECEIVED_MAX } from '@hengtai/contract/desk/support/calls';
import { expect, test } from 'vitest';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { stepTalks } from './support.ts';
import { handleCommand } from './simulation.ts';

const { world, history } = simulatePast('service', START, { users: 600, days: 60 });
const past = eventsOf(history, 'message.received').map(({ at, data }) => ({ at, ...data }));

test('some conversations of the last hours wait at the start, one per customer', () => {
  expect(past.length).toBeGreaterThanOrEqual(10);
  expect(past.length).toBeLessThanOrEqual(150);
  expect(new Set(past.map(({ account }) => account)).size).toBe(past.length);
  for (const { at } of past) expect(at).toBeGreaterThan(START - 3 * 3_600_000);
  expect(past.every(({ text }) => text.length <= SUPPORT_RECEIVED_MAX)).toBe(true);
});

test('customers begin conversations and reply to operators', () => {
  const events = eventsOf(runPresent(world, 240), 'message.received');
  expect(events.length).toBeGreaterThan(1);
  const nos = [...past.map(({ no }) => no), ...events.map(({ data }) => data.no)];
  expect(new Set(nos).size).toBe(nos.length);
  const [account = ''] = Object.entries(world.state.talks).find(([, { due }]) => due === 0) ?? [];
  const command = {
    seq: 1,
    id: 7,
    type: 'message.sent' as const,
    at: world.now,
    attempt: 1,
    data: { no: 'M1', account, text: '您好', at: world.now },
  };
  const before = world.state.talks[account]?.left.length ?? 0;
  expect(handleCommand(world, command)).toEqual({ id: 7, state: 'done' });
  world.now += 60_000;
  stepTalks(world);
  const answers = eventsOf(world.state.queue.splice(0), 'message.received').filter(
    ({ data }) => data.account === account,
  );
  expect(before).toBeGreaterThan(0);
  expect(answers.length).toBeGreaterThan(0);
});

test('a message to an unknown account changes nothing', () => {
  const talks = structuredClone(world.state.talks);
  const data = { no: 'M2', account: 'nobody.at.all', text: 'x', at: world.now };
  expect(handleCommand(world, { seq: 2, id: 8, type: 'message.sent', at: world.now, attempt: 1, data })).toEqual({
    id: 8,
    state: 'done',
  });
  expect(world.state.talks).toEqual(talks);
});
