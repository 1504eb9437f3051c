// @module-tag full
// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { beforeAll, expect, test } from 'vitest';
import {
  addSignal,
  followClosed,
  fetchFuturesBalances,
  makeFollower,
  followOpened,
  fetchSignal,
} from '../../../../test/follow.ts';
import { call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

const USERS = 2;
const follow = fc.nat({ max: 5 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      n: follow,
      user: fc.nat({ max: USERS - 1 }),
      amount: fc.integer({ min: 5, max: 60 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('close' as const), n: follow, profit: fc.integer({ min: -70, max: 70 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('order' as const), n: follow }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** In-memory model of follows of one signal with 10 to 50 USDT. */
class Model {
  readonly purses = Array.from({ length: USERS }, () => ({ active: 120, frozen: 0 }));
  readonly follows = new Map<number, { user: number; amount: number; profit: number; state: 1 | 2 | 3 }>();
  running = true;

  open(no: number, user: number, amount: number): string {
    const purse = this.purses[user];
    if (!purse || !this.running) return 'closed';
    if (amount < 10) return 'below min';
    if (amount > 50) return 'above max';
    if (this.follows.has(no)) return 'exists';
    if (purse.active < amount) return 'insufficient';
    purse.active -= amount;
    purse.frozen += amount;
    this.follows.set(no, { user, amount, profit: 0, state: 1 });
    return 'applied';
  }

  close(no: number, profit: number): string {
    const follow = this.follows.get(no);
    const purse = this.purses[follow?.user ?? -1];
    if (!follow || !purse) return 'unknown: no';
    if (follow.state === 2) return 'state';
    if (follow.amount + profit < 0) return 'beyond the stake';
    purse.frozen -= follow.amount;
    purse.active += follow.amount + profit;
    Object.assign(follow, { state: 2, profit });
    return 'applied';
  }

  order(no: number): number {
    const follow = this.follows.get(no);
    if (!follow) return 404;
    if (follow.state !== 1) return 409;
    follow.state = 3;
    return 200;
  }
}

async function runStep(one: Step, model: Model, world: { accounts: string[]; signal: SignalRow; tag: string }) {
  const { accounts, signal, tag } = world;
  const post = (path: string, input: object) => call(server, 'POST', path, input, { token: admin });
  const sendEvent = async (event: object & { type: string }) => {
    const [answer] = await send(server, event as Parameters<typeof send>[1]);
    return answer?.reason ?? answer?.result;
  };
  if (one.do === 'end') {
    const { version } = await fetchSignal(server, admin, signal.id);
    const { code } = await post('signal/change', { id: signal.id, version, state: 2 });
    // To end it again has no effect.
    expect(code).toBe(200);
    model.running = false;
    return;
  }
  const no = `${tag}-${one.n}`;
  if (one.do === 'open') {
    const answer = await sendEvent(followOpened(accounts[one.user] ?? '', signal.no, String(one.amount), no));
    expect(answer).toBe(model.open(one.n, one.user, one.amount));
  } else if (one.do === 'close') {
    expect(await sendEvent(followClosed(no, String(one.profit)))).toBe(model.close(one.n, one.profit));
  } else {
    const [row] = await server.query(sql<{ id: number }>`select id from follow where no = ${no}`);
    expect((await post('follow/close', { id: row?.id ?? 999_999_999 })).code).toBe(model.order(one.n));
  }
}

test('after random events in random order, balances and totals equal the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (walk) => {
      const tag = unique('walk');
      const accounts = [await makeFollower(server, '120'), await makeFollower(server, '120')];
      const signal = await addSignal(server, admin, { minAmount: '10', maxAmount: '50' });
      const model = new Model();
      for (const one of walk) await runStep(one, model, { accounts, signal, tag });
      for (const [at, account] of accounts.entries()) {
        const { active, frozen } = model.purses[at] ?? { active: 0, frozen: 0 };
        const has = Object.entries({ active, frozen }).filter(([, amount]) => amount !== 0);
        expect(await fetchFuturesBalances(server, account)).toEqual(
          Object.fromEntries(has.map(([k, v]) => [k, String(v)])),
        );
      }
      const all = [...model.follows.values()];
      const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
      expect(await fetchSignal(server, admin, signal.id)).toMatchObject({
        followCount: all.length,
        followAmount: String(sum(({ amount }) => amount)),
        openCount: all.filter(({ state }) => state !== 2).length,
        profit: String(sum(({ profit }) => profit)),
        state: model.running ? 1 : 2,
      });
      const held = await server.query(sql<{ left: string; state: number; amount: string }>`
        select h.amount - h.released as left, f.state, f.amount from follow f
        join hold h on h.ref_type = 'follow' and h.ref_id = f.id where f.no like ${`${tag}-%`}`);
      for (const { left, state, amount } of held) expect(left).toBe(state === 2 ? '0' : amount);
      expect(await checkBook(server.owner)).toEqual([]);
    }),
    { numRuns: sized({ full: 30, long: 1_000 }) },
  );
}, 120_000);
