// @module-tag full
// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  makeContractUser,
  makeBinaryContractMarket,
  contractOpened,
  settleAll,
  fetchContractBalances,
  tick,
} from '../../../../test/binary-contract.ts';
import { provideServer, send } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { checkBinaryContracts } from './binary-contract-check.store.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });

const TOLERANCE = 30_000;
const RATE: Readonly<Record<number, bigint>> = { 30: 75n, 60: 80n };
/** Amounts of this model are whole numbers of 10^-6 USDT. */
const ONE = 1_000_000n;
const text = (micro: bigint): string => {
  const sign = micro < 0n ? '-' : '';
  const size = micro < 0n ? -micro : micro;
  return `${sign}${size / ONE}.${String(size % ONE).padStart(6, '0')}`.replace(/\.?0+$/, '');
};

type Step =
  | { kind: 'open'; side: 1 | 2; seconds: 30 | 60; amount: bigint; ago: number }
  | { kind: 'tick'; price: number; wait: number }
  | { kind: 'settle' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      side: fc.constantFrom(1 as const, 2 as const),
      seconds: fc.constantFrom(30 as const, 60 as const),
      amount: fc.bigInt(10n * ONE, 400n * ONE),
      ago: fc.nat(5_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      price: fc.integer({ min: 98, max: 102 }),
      // Mostly within the tolerance, sometimes after a long gap.
      wait: fc.oneof(
        { weight: 5, arbitrary: fc.nat(20_000) },
        { weight: 1, arbitrary: fc.integer({ min: 28_000, max: 95_000 }) },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

interface Bet {
  no: string;
  side: 1 | 2;
  amount: bigint;
  payout: bigint;
  from: number;
  until: number;
}

/** The profit of a bet by all recorded ticks: undefined while it runs, null if it is voided. */
function profitOf(bet: Bet, ticks: readonly { price: number; at: number }[]): bigint | null | undefined {
  const open = ticks.find(({ at }) => at >= bet.from);
  if (!open) return undefined;
  if (open.at > bet.from + TOLERANCE) return null;
  const close = ticks.find(({ at }) => at >= bet.until);
  if (!close) return undefined;
  if (close.at > bet.until + TOLERANCE) return null;
  if (close.price === open.price) return 0n;
  return close.price > open.price === (bet.side === 1) ? bet.payout : -bet.amount;
}

test('after random contracts, ticks and settlements, the balances equal the outcomes by the ticks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30 }), async (steps) => {
      const market = await makeBinaryContractMarket(server);
      const user = await makeContractUser(server, '2000');
      const bets: Bet[] = [];
      const ticks: { price: number; at: number }[] = [];
      let now = server.clock.now() - 5_000_000;
      let free = 2_000n * ONE;
      for (const one of steps) {
        if (one.kind === 'settle') await settleAll(server);
        else if (one.kind === 'tick') {
          now += one.wait;
          ticks.push({ price: one.price, at: now });
          expect((await send(server, tick(market, String(one.price), now)))[0]?.result).toBe('applied');
        } else {
          const { side, seconds, amount, ago } = one;
          const at = now - ago;
          const event = { ...contractOpened(user, { market, side, seconds, amount: text(amount) }), at };
          const [answer] = await send(server, event);
          if (answer?.result !== 'applied') {
            // Unsettled wins may be missing from the balance, so a stake can be refused; no other reason is possible.
            expect(answer?.reason).toBe('insufficient');
            continue;
          }
          free -= amount;
          const payout = (amount * (RATE[seconds] ?? 0n)) / 100n;
          bets.push({ no: event.data.no, side, amount, payout, from: at, until: at + seconds * 1_000 });
        }
      }
      await settleAll(server);
      const profits = bets.map((bet) => profitOf(bet, ticks));
      const rows = await server.query(sql<{ no: string; state: number; profit: string | null }>`
        select no, state, profit from second_contract where no = any(${bets.map(({ no }) => no)}::text[]) order by id`);
      expect(rows.map(({ state, profit }) => [state, profit])).toEqual(
        profits.map((profit) => (profit === undefined ? [0, null] : profit === null ? [2, null] : [1, text(profit)])),
      );
      let frozen = 0n;
      for (const [n, bet] of bets.entries()) {
        const profit = profits[n];
        if (profit === undefined) frozen += bet.amount;
        else free += bet.amount + (profit ?? 0n);
      }
      expect(await fetchContractBalances(server, user)).toEqual({ active: text(free), frozen: text(frozen) });
    }),
    { numRuns: sized({ full: 20, long: 1_000 }) },
  );
  expect(await checkBook(server.owner)).toEqual([]);
  expect((await checkBinaryContracts(server.owner)).discrepancies).toEqual([]);
});
