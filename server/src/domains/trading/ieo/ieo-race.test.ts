// @module-tag full
// @module-tag soak
import { type IeoState } from '@hengtai/contract/trading/ieo/calls';
import { ieoStates } from '@hengtai/contract/trading/ieo/facts';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type TestOperator,
  fetchBalance,
  findIeo,
  makeIeo,
  makeOperator,
  makeUser,
} from '../../../../test/factories.ts';
import { formatUnits, parseUnits } from '../../../../test/ledger-model.ts';
import { countDeadlocks, fetchRequestEntries, setPolicy } from '../../../../test/inspect.ts';
import { call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agents: TestOperator[];

beforeAll(async () => {
  admin = await login(server);
  agents = [];
  for (let n = 0; n < 4; n += 1) agents.push(await makeOperator(server, admin, { abilities: [5, 13] }));
});

const decide = (action: string, id: number, token: string) =>
  call<{ state: number; by: string; at: number }>(
    server,
    'POST',
    `ieo/order/${action}`,
    { id, reason: 'because' },
    { token, key: unique('k') },
  );
const tokenOf = (n: number): string => agents[n % agents.length]?.token ?? admin;
const settledOnce = async (id: number): Promise<void> => {
  const commands = sql`select 1 from command where type = 'ieo.reviewed' and ref_id = ${id}`;
  const decided = sql`select 1 from audit where target_type = 'ieo' and target_id = ${id} and result = 200`;
  expect([(await server.query(commands)).length, (await server.query(decided)).length]).toEqual([1, 1]);
};

describe('16 concurrent decisions', () => {
  test.each([
    ['pass', ['pass']],
    ['reject', ['reject']],
    ['pass and reject', ['pass', 'reject']],
  ])('%s: one takes effect, the others get 409 with operator and time', async (_what, actions) => {
    const user = await makeUser(server, { amount: '100' });
    const row = await makeIeo(server, admin, user, { amount: '60' });
    const deadlocks = await countDeadlocks(server);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => decide(actions[n % actions.length] ?? '', row.id, tokenOf(n))),
    );
    const won = answers.filter(({ code }) => code === 200);
    expect(won.length).toBe(1);
    const after = await findIeo(server, admin, row.no);
    for (const lost of answers.filter(({ code }) => code !== 200)) {
      expect(lost).toMatchObject({
        code: 409,
        msg: `记录已被处理，当前状态：${ieoStates[after.state as IeoState]}`,
        data: { state: after.state, by: after.by, at: after.updatedAt },
      });
    }
    const [usdt, htt] = after.state === 1 ? ['70', '60'] : ['100', '0'];
    expect(await fetchBalance(server, admin, user)).toEqual({ active: usdt, frozen: '0' });
    expect((await fetchBalance(server, admin, user, 'HTT')).active).toBe(htt);
    await settledOnce(row.id);
    expect(await checkBook(server.owner)).toEqual([]);
    expect(await countDeadlocks(server)).toBe(deadlocks);
  });
});

test('a cancel by the user races eight decisions: exactly one takes effect', async () => {
  const deadlocks = await countDeadlocks(server);
  for (let round = 0; round < 6; round += 1) {
    const user = await makeUser(server, { amount: '100' });
    const row = await makeIeo(server, admin, user, { amount: '60' });
    const cancel = send(server, { type: 'ieo.cancelled', data: { no: row.no } });
    const decisions = Array.from({ length: 8 }, (_, n) => decide(n % 2 ? 'pass' : 'reject', row.id, tokenOf(n)));
    const [[cancelled], answers] = await Promise.all([cancel, Promise.all(decisions)]);
    const won = answers.filter(({ code }) => code === 200).length + (cancelled?.result === 'applied' ? 1 : 0);
    expect(won).toBe(1);
    const after = await findIeo(server, admin, row.no);
    expect(after.state === 3).toBe(cancelled?.result === 'applied');
    if (after.state === 3) {
      for (const lost of answers) expect(lost).toMatchObject({ code: 409, data: { state: 3, by: null } });
    } else {
      expect(cancelled).toMatchObject({ result: 'rejected', reason: 'state' });
    }
    expect((await fetchRequestEntries(server, row.id, 'ieo')).length).toBe(after.state === 1 ? 6 : 4);
  }
  expect(await checkBook(server.owner)).toEqual([]);
  expect(await countDeadlocks(server)).toBe(deadlocks);
});

test('the approval of a checker races a cancel by the user: exactly one takes effect', async () => {
  const second = await makeOperator(server, admin, { abilities: [5, 11, 13] });
  await setPolicy(server, 'ieo.pass', 1);
  for (let round = 0; round < 5; round += 1) {
    const user = await makeUser(server, { amount: '100' });
    const row = await makeIeo(server, admin, user, { amount: '60' });
    const request = await decide('pass', row.id, admin);
    expect(request.code).toBe(202);
    const { id } = request.data as unknown as { id: number };
    const [[cancelled], passed] = await Promise.all([
      send(server, { type: 'ieo.cancelled', data: { no: row.no } }),
      call(server, 'POST', 'approval/pass', { id }, { token: second.token }),
    ]);
    const after = await findIeo(server, admin, row.no);
    expect([cancelled?.result, passed.code, after.state]).toEqual(
      after.state === 3 ? ['applied', 409, 3] : ['rejected', 200, 1],
    );
  }
  await setPolicy(server, 'ieo.pass', 0);
  expect(await checkBook(server.owner)).toEqual([]);
});

type Step = { kind: 'order'; price: bigint; amount: bigint } | { kind: 'cancel' | 'pass' | 'reject'; index: number };

/** Prices and amounts whose product is usually exact. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      price: fc.bigInt(1n, 3_000_000_000n).map((nano) => nano * 10n ** 9n),
      amount: fc.oneof(
        fc.bigInt(1n, 90_000_000_000n).map((nano) => nano * 10n ** 9n),
        fc.bigInt(1n, 10n ** 19n),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom<'cancel' | 'pass' | 'reject'>('cancel', 'pass', 'reject'),
      index: fc.nat(20),
    }),
  },
);

const ONE = 10n ** 18n;

/** Runs steps against the server and a model in integers of 10^-18. */
class Run {
  readonly user: string;
  readonly orders: { no: string; id: number; amount: bigint; pay: bigint; state: IeoState }[] = [];
  usdt = parseUnits('100');
  frozen = 0n;
  htt = 0n;

  constructor(user: string) {
    this.user = user;
  }

  async apply(one: Step): Promise<void> {
    await (one.kind === 'order' ? this.order(one) : this.end(one));
    expect(await fetchBalance(server, admin, this.user)).toEqual({
      active: formatUnits(this.usdt),
      frozen: formatUnits(this.frozen),
    });
    expect((await fetchBalance(server, admin, this.user, 'HTT')).active).toBe(formatUnits(this.htt));
  }

  private async order({ price, amount }: Step & { kind: 'order' }): Promise<void> {
    const no = unique('P');
    const data = { no, account: this.user, market: 'HTT', price: formatUnits(price), amount: formatUnits(amount) };
    const [answer] = await send(server, { type: 'ieo.ordered', data });
    const exact = (price * amount) % ONE === 0n;
    const pay = (price * amount) / ONE;
    const reason = !exact ? 'invalid: amount' : pay > this.usdt ? 'insufficient' : undefined;
    expect([answer?.result, answer?.reason]).toEqual(reason ? ['rejected', reason] : ['applied', undefined]);
    if (reason) return;
    this.usdt -= pay;
    this.frozen += pay;
    const { id } = await findIeo(server, admin, no);
    this.orders.push({ no, id, amount, pay, state: 0 });
  }

  private async end({ kind, index }: Step & { kind: 'cancel' | 'pass' | 'reject' }): Promise<void> {
    const order = this.orders[index % Math.max(1, this.orders.length)];
    if (!order) return;
    const done =
      kind === 'cancel'
        ? (await send(server, { type: 'ieo.cancelled', data: { no: order.no } }))[0]?.result === 'applied'
        : (await decide(kind, order.id, tokenOf(index))).code === 200;
    expect(done).toBe(order.state === 0);
    if (!done) return;
    order.state = kind === 'pass' ? 1 : kind === 'reject' ? 2 : 3;
    this.frozen -= order.pay;
    if (order.state === 1) this.htt += order.amount;
    else this.usdt += order.pay;
  }

  /** Checks that the hold of each ended subscription was released fully and once, and of each waiting one not at all. */
  async checkHolds(): Promise<void> {
    const ids = this.orders.map(({ id }) => id);
    const holds = await server.query(sql<{ amount: string; released: string }>`
      select amount, released from hold where ref_type = 'ieo' and ref_id = any(${ids}::bigint[]) order by ref_id`);
    expect(holds.map(({ amount, released }) => [parseUnits(amount), parseUnits(released)])).toEqual(
      this.orders.map(({ pay, state }) => [pay, state === 0 ? 0n : pay]),
    );
    const sums = await server.query(sql<{ sum: string }>`
      select sum(amount) as sum from entry where ref_type = 'ieo' group by transfer_id, market_id having sum(amount) <> 0`);
    expect(sums).toEqual([]);
  }
}

test('after random orders and decisions, transfers sum to zero and holds are released once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const run = new Run(await makeUser(server, { amount: '100' }));
      for (const one of steps) await run.apply(one);
      await run.checkHolds();
      expect(await checkBook(server.owner)).toEqual([]);
    }),
    { numRuns: sized({ full: 12, long: 200 }) },
  );
});
