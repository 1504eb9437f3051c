// @module-tag full
// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { provideServer, send, unique } from '../../../../test/server.ts';
import { SpotModel, toDecimalText } from '../../../../test/spot-model.ts';
import { makeTrader, fetchSpotBalances } from '../../../../test/spot.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let market: string;

beforeAll(async () => {
  market = await makeMarket(server);
  await server.query(
    sql`update market set spot = 1, price_precision = 2, amount_precision = 2 where market_name = ${market}`,
  );
});

const USERS = 2;
const units = fc.bigInt({ min: 1n, max: 300n });
const order = fc.nat({ max: 7 });
const side = fc.constantFrom<1 | 2>(1, 2);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      n: order,
      user: fc.nat({ max: USERS - 1 }),
      side,
      kind: fc.nat({ max: 2 }),
      price: units,
      amount: units,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      n: order,
      trade: fc.nat({ max: 40 }),
      price: units,
      amount: units,
      fee: fc.bigInt({ min: 0n, max: 3n }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), n: order }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Applies a step to the model; returns the event for the server and the result that the model expects. */
function applyStep(model: SpotModel, accounts: readonly string[], tag: string, one: Step) {
  const no = `${tag}-${one.n}`;
  if (one.do === 'cancel') return { event: { type: 'order.cancelled', data: { no } }, expected: model.cancel(no) };
  if (one.do === 'fill') {
    const { price, amount, fee } = one;
    const tradeNo = `${tag}-t${one.trade}`;
    const feeDecimals = model.orders.get(no)?.side === 2 ? 4 : 2;
    const data = {
      no,
      tradeNo,
      price: toDecimalText(price, 2),
      amount: toDecimalText(amount, 2),
      fee: toDecimalText(fee, feeDecimals),
    };
    return { event: { type: 'order.filled', data }, expected: model.fill(no, tradeNo, price, amount, fee) };
  }
  const isLimit = one.kind < 2;
  const spendsFunds = !isLimit && one.side === 1;
  const funds = one.price * one.amount;
  const terms = isLimit ? { price: one.price, amount: one.amount } : spendsFunds ? { funds } : { amount: one.amount };
  const data = {
    no,
    account: accounts[one.user],
    market,
    side: one.side,
    type: isLimit ? 1 : 2,
    ...(isLimit && { price: toDecimalText(one.price, 2) }),
    ...(spendsFunds ? { funds: toDecimalText(funds, 4) } : { amount: toDecimalText(one.amount, 2) }),
  };
  return { event: { type: 'order.placed', data }, expected: model.place(no, one.user, one.side, terms) };
}

test('after random events in random order, the ledger equals the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (walk) => {
      const tag = unique('walk');
      const accounts: string[] = [];
      for (let n = 0; n < USERS; n += 1) accounts.push(await makeTrader(server, { USDT: '12', [market]: '4' }));
      const model = new SpotModel(USERS, 120_000n, 400n);
      const made = walk.map((one) => applyStep(model, accounts, tag, one));
      const answers = await send(server, ...made.map(({ event }) => event));
      expect(answers.map(({ result, reason }) => (result === 'rejected' ? reason : result))).toEqual(
        made.map(({ expected }) => expected),
      );
      for (const [n, account] of accounts.entries()) {
        const purse = model.balances[n];
        if (!purse) throw new Error('no purse');
        const expected = {
          'USDT active': toDecimalText(purse.usdt, 4),
          'USDT frozen': toDecimalText(purse.usdtFrozen, 4),
          [`${market} active`]: toDecimalText(purse.coin, 2),
          [`${market} frozen`]: toDecimalText(purse.coinFrozen, 2),
        };
        const has = Object.fromEntries(Object.entries(expected).filter(([, amount]) => amount !== '0'));
        expect(await fetchSpotBalances(server, account)).toEqual(has);
      }
      const states = await server.query(sql<{ no: string; state: number; held: string; frozen: string }>`
        select o.no, o.state, h.amount - h.released as held, o.frozen from trade_order o
        join hold h on h.ref_type = 'trade' and h.ref_id = o.id where o.no like ${`${tag}-%`}`);
      expect(Object.fromEntries(states.map(({ no, state }) => [no, state]))).toEqual(
        Object.fromEntries([...model.orders.values()].map(({ no, state }) => [no, state])),
      );
      for (const { held, frozen } of states) expect(held).toBe(frozen);
      expect(await checkBook(server.owner)).toEqual([]);
    }),
    { numRuns: sized({ full: 60, long: 2_000 }) },
  );
}, 240_000);
