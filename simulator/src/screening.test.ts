import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import { expect, test } from 'vitest';
import { START, eventsOf, runPresent, simulatePast } from '../test/simulate-past.ts';
import { handleCommand } from './simulation.ts';

type ScreenCommand = Extract<PlatformCommand, { type: 'screen.requested' }>;

const { world } = simulatePast('screening', START, { users: 40, days: 3 });
const DUE_MS = 300_000;

const commandOf = (id: number): ScreenCommand => ({
  seq: id,
  id,
  type: 'screen.requested',
  at: START,
  attempt: 1,
  data: {
    no: `S${id}`,
    kind: 'address',
    account: 'a',
    dueAt: START + DUE_MS,
    address: `T-${id % 50}`,
    network: 'TRC20',
  },
});

test('providers answer each request once, and have every fault', () => {
  world.options.screenFaults = 0.5;
  const acks = Array.from({ length: 200 }, (_, index) => handleCommand(world, commandOf(index + 1)));
  const pending = structuredClone(world.state.screenings);
  // Delivered again.
  for (let id = 1; id <= 200; id += 1) handleCommand(world, commandOf(id));
  expect(world.state.screenings).toEqual(pending);

  const answers = eventsOf(runPresent(world, 420), 'screen.answered');
  expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(answers.length);
  const requests = acks.map((ack, index) => {
    const own = answers.filter(({ data }) => data.no === `S${index + 1}`);
    if (ack?.state === 'failed') return 'error';
    if (own.length === 2) return 'contradicting';
    return own[0] ? (own[0].at > START + DUE_MS ? 'late' : 'none') : 'silent';
  });
  expect(new Set(requests)).toEqual(new Set(['none', 'silent', 'late', 'contradicting', 'error']));
  const contradicting = `S${requests.indexOf('contradicting') + 1}`;
  const results = answers.filter(({ data }) => data.no === contradicting).map(({ data }) => data.result === 'hit');
  expect(new Set(results).size).toBe(2);
  // The same address always has the same finding of the first provider.
  const findings = answers
    .filter(({ eventId }) => eventId.endsWith('#0'))
    .map(({ data }) => ({ address: Number(data.no.slice(1)) % 50, result: data.result }));
  const addresses = new Set(findings.map(({ address }) => address)).size;
  expect(new Set(findings.map(({ address, result }) => `${address} ${result}`)).size).toBe(addresses);
});
