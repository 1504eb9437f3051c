// @module-tag full
// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { fetchHouseBalance } from '../../../../test/book.ts';
import { FutureModel } from '../../../../test/future-model.ts';
import { makeFuturesMarket, fetchFuturesBalances, makeFuturesUser } from '../../../../test/future.ts';
import { provideServer, send, unique } from '../../../../test/server.ts';
import { toDecimalText } from '../../../../test/spot-model.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let market: string;

beforeAll(async () => {
  ({ market } = await makeFuturesMarket(server));
});

const USERS = 2;
const PARTS = 4n;
const position = fc.nat({ max: 2 });
const price = fc.bigInt({ min: 1n, max: 600n });
const fee = fc.bigInt({ min: 0n, max: 3n * 10n ** 18n });
const margin = fc.bigInt({ min: 1n, max: 9n });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      n: position,
      user: fc.nat({ max: USERS - 1 }),
      demo: fc.nat({ max: 3 }),
      side: fc.constantFrom<1 | 2>(1, 2),
      price: fc.option(price, { nil: undefined }),
      margin,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), n: position, price, fee }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), n: position }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('margin' as const), n: position, margin }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      n: position,
      close: fc.nat({ max: 30 }),
      parts: fc.bigInt({ min: 1n, max: 5n }),
      price,
      fee,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('liquidate' as const),
      n: position,
      close: fc.nat({ max: 30 }),
      price,
      fee,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fund' as const),
      n: position,
      fund: fc.nat({ max: 30 }),
      amount: fc.bigInt({ min: -9n * 10n ** 18n, max: 3n * 10n ** 18n }).filter((amount) => amount !== 0n),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** 0.3 coins and 0.3 USDT, small enough that losses exceed the margin. */
const PART = 3_000n;
const MARGIN = 3n * 10n ** 17n;
const usdt = (units: bigint): string => (units < 0n ? `-${toDecimalText(-units, 18)}` : toDecimalText(units, 18));

/** Applies a step to the model; returns the event for the server and the result that the model expects. */
function applyStep(model: FutureModel, accounts: readonly string[], tag: string, one: Step) {
  const no = `${tag}-${one.n}`;
  switch (one.do) {
    case 'place': {
      const order = { demo: one.demo === 0, side: one.side, price: one.price, amount: PARTS * PART };
      const data = {
        no,
        account: accounts[one.user],
        market,
        demo: order.demo ? 1 : 0,
        side: one.side,
        leverage: 3,
        ...(one.price === undefined ? { type: 2 } : { type: 1, price: toDecimalText(one.price, 2) }),
        amount: toDecimalText(order.amount, 4),
        margin: usdt(one.margin * MARGIN),
      };
      const expected = model.place(no, one.user, { ...order, margin: one.margin * MARGIN });
      return { event: { type: 'position.placed', data }, expected };
    }
    case 'open': {
      const data = { no, price: toDecimalText(one.price, 2), fee: usdt(one.fee) };
      return { event: { type: 'position.opened', data }, expected: model.open(no, one.price, one.fee) };
    }
    case 'cancel':
      return { event: { type: 'position.cancelled', data: { no } }, expected: model.cancel(no) };
    case 'margin': {
      const data = { no, margin: usdt(one.margin * MARGIN) };
      return { event: { type: 'position.changed', data }, expected: model.changeMargin(no, one.margin * MARGIN) };
    }
    case 'fund': {
      const funded = `${tag}-f${one.fund}`;
      const data = { no: funded, position: no, amount: usdt(one.amount) };
      return { event: { type: 'funding.paid', data }, expected: model.payFunding(funded, no, one.amount) };
    }
    default: {
      const parts = one.do === 'close' ? one.parts * PART : undefined;
      const closeNo = `${tag}-c${one.close}`;
      const data = { no, closeNo, price: toDecimalText(one.price, 2), fee: usdt(one.fee) };
      const event =
        parts === undefined
          ? { type: 'position.liquidated', data }
          : { type: 'position.closed', data: { ...data, amount: toDecimalText(parts, 4), closeType: 1 } };
      return { event, expected: model.close(no, closeNo, parts, one.price, one.fee) };
    }
  }
}

const houseNow = async () => ({
  fee: await fetchHouseBalance(server, 'fee', 'USDT'),
  trading: await fetchHouseBalance(server, 'trading', 'USDT'),
  insurance: await fetchHouseBalance(server, 'insurance', 'USDT'),
});
const unitsOf = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'));
  return amount.startsWith('-') ? -units : units;
};

test('after random events in random order, the ledger equals the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (walk) => {
      const tag = unique('walk');
      const accounts: string[] = [];
      for (let n = 0; n < USERS; n += 1) accounts.push(await makeFuturesUser(server, '6'));
      const before = await houseNow();
      const model = new FutureModel(USERS, 6n * 10n ** 18n);
      const made = walk.map((one) => applyStep(model, accounts, tag, one));
      const answers = await send(server, ...made.map(({ event }) => event));
      expect(answers.map(({ result, reason }) => (result === 'rejected' ? reason : result))).toEqual(
        made.map(({ expected }) => expected),
      );
      for (const [n, account] of accounts.entries()) {
        const { active = 0n, frozen = 0n } = model.balances[n] ?? {};
        const has = await fetchFuturesBalances(server, account);
        expect([has['active'] ?? '0', has['frozen'] ?? '0']).toEqual([usdt(active), usdt(frozen)]);
      }
      const after = await houseNow();
      const change = (name: keyof typeof after) => unitsOf(after[name]) - unitsOf(before[name]);
      expect([change('fee'), change('trading'), change('insurance')]).toEqual([
        model.fee,
        model.trading,
        model.insurance,
      ]);
      const rows = await server.query(sql<{ no: string; state: number; held: string; realized: string; hold: string }>`
        select o.no, o.state, o.held, o.realized, coalesce(h.amount - h.released, 0) as hold from future_order o
        left join hold h on h.ref_type = 'future' and h.ref_id = o.id where o.no like ${`${tag}-%`} order by o.no`);
      const expected = [...model.positions.values()]
        .toSorted((a, b) => (a.no < b.no ? -1 : 1))
        .map(({ no, state, held, realized, demo }) => ({
          no,
          state,
          held: usdt(held),
          realized: usdt(realized),
          hold: demo ? '0' : usdt(held),
        }));
      expect(rows).toEqual(expected);
      expect(await checkBook(server.owner)).toEqual([]);
    }),
    { numRuns: sized({ full: 60, long: 2_000 }) },
  );
}, 240_000);
