import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { WalletFault } from '@hengtai/contract/gateway/simulator';
import { expect, test } from 'vitest';
import { START, eventsOf } from '../test/simulate-past.ts';
import { createState } from './state.ts';
import { payOut, stepWallet } from './wallet.ts';
import { type World, createWorld } from './world.ts';

type PayoutCommand = Extract<PlatformCommand, { type: 'withdraw.payout' }>;

const PAYOUTS = 1_000;
/** Longer than the latest answer. */
const SECONDS = 5_000;
/** Payouts stay under way so long by default. */
const BOUND_MS = 30 * 60_000;

const commandOf = (id: number): PayoutCommand => ({
  seq: id,
  id,
  type: 'withdraw.payout',
  at: START,
  attempt: 1,
  data: {
    no: `F${id}`,
    attempt: 1,
    account: 'a',
    market: 'USDT',
    network: 'TRC20',
    address: 'T',
    memo: '',
    amount: '1',
  },
});

function makeWorld(walletFaults: Partial<Record<WalletFault, number>>): World {
  const shares = { fail: 0, unknown: 0, late: 0, screenFaults: 0, walletFaults };
  return createWorld({ seed: 'wallet', users: 40, days: 3, speed: 1, ...shares }, createState('wallet'), []);
}

/** Orders each payout twice. @returns how often it is on its way, and when and by which transactions it is paid */
function payAll(world: World): { paying: number; afterMs: number[]; hashes: Set<string> }[] {
  world.now = START;
  const commands = Array.from({ length: PAYOUTS }, (_, index) => commandOf(index + 1));
  for (const command of [...commands, ...commands]) expect(payOut(world, command)?.state).toBe('done');
  for (; world.now < START + SECONDS * 1_000; world.now += 10_000) stepWallet(world);
  const { queue } = world.state;
  expect(new Set(queue.map(({ eventId }) => eventId)).size).toBe(queue.length);
  const [onTheirWay, paid] = [eventsOf(queue, 'withdraw.paying'), eventsOf(queue, 'withdraw.paid')];
  expect([...onTheirWay, ...paid].every(({ data }) => data.attempt === 1)).toBe(true);
  return commands.map(({ data: { no } }) => {
    const payments = paid.filter(({ data }) => data.no === no);
    return {
      paying: onTheirWay.filter(({ data }) => data.no === no).length,
      afterMs: payments.map(({ at }) => at - START),
      hashes: new Set(payments.map(({ data }) => data.txHash)),
    };
  });
}

test('without faults every payment is reported soon, and once', () => {
  for (const { paying, afterMs, hashes } of payAll(makeWorld({})))
    expect([paying, afterMs.length, hashes.size, (afterMs[0] ?? 0) < BOUND_MS]).toEqual([1, 1, 1, true]);
});

test('the wallet falls silent, answers late and pays twice in the configured shares', () => {
  const counts = { silent: 0, late: 0, second: 0, none: 0 };
  for (const { paying, afterMs, hashes } of payAll(makeWorld({ silent: 0.2, late: 0.3, second: 0.1 }))) {
    expect([paying, hashes.size]).toEqual([1, afterMs.length]);
    const [first, second] = afterMs;
    if (first === undefined) counts.silent += 1;
    else if (second !== undefined) counts.second += 1;
    else counts[first > BOUND_MS ? 'late' : 'none'] += 1;
  }
  for (const [found, share] of [
    [counts.silent, 0.2],
    [counts.late, 0.3],
    [counts.second, 0.1],
    [counts.none, 0.4],
  ] as const)
    expect(Math.abs(found / PAYOUTS - share)).toBeLessThan(0.05);
});
