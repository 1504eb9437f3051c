// @module-tag full
// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseHas } from '../../test/book.ts';
import { FutureModel } from '../../test/future-model.ts';
import { futureMarket, futureOf, makeHolder } from '../../test/future.ts';
import { type TestServer, send, testServer, unique } from '../../test/server.ts';
import { wire } from '../../test/spot-model.ts';
import { checkBook } from '../ledger/check.ts';
import { sized } from '../../../testing/level.ts';

let server: TestServer;
let market: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  ({ market } = await futureMarket(server));
});
afterAll(() => server.stop());

const USERS = 2;
const PARTS = 4n;
const which = fc.nat({ max: 2 });
const price = fc.bigInt({ min: 1n, max: 600n });
const fee = fc.bigInt({ min: 0n, max: 3n * 10n ** 18n });
const margin = fc.bigInt({ min: 1n, max: 9n });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      n: which,
      user: fc.nat({ max: USERS - 1 }),
      demo: fc.nat({ max: 3 }),
      side: fc.constantFrom<1 | 2>(1, 2),
      price: fc.option(price, { nil: undefined }),
      margin,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), n: which, price, fee }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), n: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('margin' as const), n: which, margin }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      n: which,
      close: fc.nat({ max: 30 }),
      parts: fc.bigInt({ min: 1n, max: 5n }),
      price,
      fee,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('liquidate' as const), n: which, close: fc.nat({ max: 30 }), price, fee }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fund' as const),
      n: which,
      fund: fc.nat({ max: 30 }),
      amount: fc.bigInt({ min: -9n * 10n ** 18n, max: 3n * 10n ** 18n }).filter((amount) => amount !== 0n),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** 0.3 coins, and 0.3 USDT: little enough that losses go beyond it. */
const PART = 3_000n;
const MARGIN = 3n * 10n ** 17n;
const usdt = (units: bigint): string => (units < 0n ? `-${wire(-units, 18)}` : wire(units, 18));

/** Both sides do the same; the event that the server is sent, and the model's word about it. */
function both(model: FutureModel, accounts: readonly string[], tag: string, what: Step) {
  const no = `${tag}-${what.n}`;
  switch (what.do) {
    case 'place': {
      const asked = { demo: what.demo === 0, side: what.side, price: what.price, amount: PARTS * PART };
      const said = {
        no,
        account: accounts[what.user],
        market,
        demo: asked.demo ? 1 : 0,
        side: what.side,
        leverage: 3,
        ...(what.price === undefined ? { type: 2 } : { type: 1, price: wire(what.price, 2) }),
        amount: wire(asked.amount, 4),
        margin: usdt(what.margin * MARGIN),
      };
      const says = model.place(no, what.user, { ...asked, margin: what.margin * MARGIN });
      return { event: { type: 'position.placed', data: said }, says };
    }
    case 'open': {
      const data = { no, price: wire(what.price, 2), fee: usdt(what.fee) };
      return { event: { type: 'position.opened', data }, says: model.open(no, what.price, what.fee) };
    }
    case 'cancel':
      return { event: { type: 'position.cancelled', data: { no } }, says: model.cancel(no) };
    case 'margin': {
      const data = { no, margin: usdt(what.margin * MARGIN) };
      return { event: { type: 'position.changed', data }, says: model.margin(no, what.margin * MARGIN) };
    }
    case 'fund': {
      const funded = `${tag}-f${what.fund}`;
      const data = { no: funded, position: no, amount: usdt(what.amount) };
      return { event: { type: 'funding.paid', data }, says: model.fund(funded, no, what.amount) };
    }
    default: {
      const parts = what.do === 'close' ? what.parts * PART : undefined;
      const closeNo = `${tag}-c${what.close}`;
      const data = { no, closeNo, price: wire(what.price, 2), fee: usdt(what.fee) };
      const event =
        parts === undefined
          ? { type: 'position.liquidated', data }
          : { type: 'position.closed', data: { ...data, amount: wire(parts, 4), closeType: 1 } };
      return { event, says: model.close(no, closeNo, parts, what.price, what.fee) };
    }
  }
}

const houseNow = async () => ({
  fee: await houseHas(server, 'fee', 'USDT'),
  trading: await houseHas(server, 'trading', 'USDT'),
  insurance: await houseHas(server, 'insurance', 'USDT'),
});
const unitsOf = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'));
  return amount.startsWith('-') ? -units : units;
};

test('whatever comes in whatever order, the book says what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (walk) => {
      const tag = unique('walk');
      const accounts: string[] = [];
      for (let n = 0; n < USERS; n += 1) accounts.push(await makeHolder(server, '6'));
      const before = await houseNow();
      const model = new FutureModel(USERS, 6n * 10n ** 18n);
      const made = walk.map((what) => both(model, accounts, tag, what));
      const answers = await send(server, ...made.map(({ event }) => event));
      expect(answers.map(({ result, reason }) => (result === 'rejected' ? reason : result))).toEqual(
        made.map(({ says }) => says),
      );
      for (const [n, account] of accounts.entries()) {
        const { active = 0n, frozen = 0n } = model.purses[n] ?? {};
        const has = await futureOf(server, account);
        expect([has['active'] ?? '0', has['frozen'] ?? '0']).toEqual([usdt(active), usdt(frozen)]);
      }
      const after = await houseNow();
      const got = (name: keyof typeof after) => unitsOf(after[name]) - unitsOf(before[name]);
      expect([got('fee'), got('trading'), got('insurance')]).toEqual([model.fee, model.trading, model.insurance]);
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
