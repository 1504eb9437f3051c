import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onTron, tronAddress } from '../../../../test/address.ts';
import {
  type SentEvent,
  fetchEntries,
  fetchBalances,
  fetchHouseBalance,
  makeMarket,
  expectRejection,
  setUserState,
} from '../../../../test/book.ts';
import { makeUser } from '../../../../test/factories.ts';
import { waitUntilBlocked } from '../../../../test/inspect.ts';
import { type TestServer, apply, send, testServer, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

interface Fields {
  no: string;
  account: string;
  market: string;
  network: string;
  address: string;
  amount: string;
  confirmations: number;
  source: number;
  txHash?: string;
  index?: number;
  voucher?: string;
}

const fieldsOf = (account: string, more: Partial<Fields> = {}): Fields => ({
  no: unique('R'),
  account,
  market: 'USDT',
  ...onTron('deposit'),
  amount: '50',
  confirmations: 1,
  source: 1,
  ...more,
});

const detected = (data: Fields, at?: number): SentEvent => ({ type: 'recharge.detected', data, ...(at && { at }) });
const credited = (data: { no: string } & Partial<Fields>): SentEvent => ({ type: 'recharge.credited', data });
const failed = (no: string, remark?: string): SentEvent => ({
  type: 'recharge.failed',
  data: { no, ...(remark && { remark }) },
});
const reversed = (no: string, remark?: string): SentEvent => ({
  type: 'recharge.reversed',
  data: { no, ...(remark && { remark }) },
});

interface Row {
  state: number;
  amount: string;
  network: string;
  address: string;
  txHash: string;
  confirmations: number;
  source: number;
  voucher: string;
  remark: string;
  creditedAt: number | null;
  createdAt: number;
  account: string;
  market: string;
}

async function rowOf(no: string): Promise<Row | undefined> {
  const [row] = await server.query(sql<Row>`
    select r.state, r.amount, r.network, r.address, r.tx_hash as "txHash", r.confirmations, r.source, r.voucher, r.remark,
      r.credited_at as "creditedAt", r.created_at as "createdAt", u.account, m.market_name as market
    from recharge r join users u on u.id = r.user_id join market m on m.id = r.market_id where r.no = ${no}`);
  return row;
}

const alarmsOf = (no: string) =>
  server.query(sql<{ kind: string; detail: unknown }>`
    select a.kind, a.detail from alarm a join recharge r on a.ref_type = 'recharge' and a.ref_id = r.id where r.no = ${no}`);

const reviewsOf = (no: string) =>
  server.query(
    sql<{ data: unknown }>`select data from command where type = 'recharge.reviewed' and data ->> 'no' = ${no}`,
  );

describe('recharge.detected', () => {
  test('stores the recharge and posts nothing', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user, { amount: '50.10', txHash: '0xabc', voucher: '/v/1.png', source: 2, confirmations: 3 });
    const at = server.clock.now() - 60_000;
    await apply(server, detected(data, at));
    expect(await rowOf(data.no)).toEqual({
      state: 0,
      amount: '50.1',
      ...onTron('deposit'),
      txHash: '0xabc',
      confirmations: 3,
      source: 2,
      voucher: '/v/1.png',
      remark: '',
      creditedAt: null,
      createdAt: at,
      account: user,
      market: 'USDT',
    });
    expect(await fetchEntries(server, user)).toEqual([]);
  });

  test('is rejected for an unknown account or market and for a known number', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user);
    expect(await expectRejection(server, detected({ ...data, account: 'nobody' }))).toBe('unknown: account');
    expect(await expectRejection(server, detected({ ...data, market: 'NONE' }))).toBe('unknown: market');
    expect(await expectRejection(server, detected({ ...data, market: 'usdt' }))).toBe('unknown: market');
    await apply(server, detected(data));
    expect(await expectRejection(server, detected({ ...data, amount: '9' }))).toBe('exists');
  });
});

describe('recharge.credited', () => {
  test('credits the fund account of a detected recharge from custody', async () => {
    const user = await makeUser(server);
    const market = await makeMarket(server);
    const data = fieldsOf(user, { market, amount: '50.5' });
    await apply(server, detected(data));
    const at = server.clock.now() - 1_000;
    await apply(server, { ...credited({ no: data.no, confirmations: 20, txHash: '0xdef' }), at });
    expect(await rowOf(data.no)).toMatchObject({ state: 1, txHash: '0xdef', confirmations: 20, creditedAt: at });
    expect(await fetchEntries(server, user)).toEqual([
      {
        market,
        platform: 1,
        bucket: 'active',
        type: 1,
        amount: '50.5',
        balance: '50.5',
        refType: 'recharge',
        createdAt: at,
      },
    ]);
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('-50.5');
    expect(await reviewsOf(data.no)).toEqual([]);
  });

  test('without a detection takes every field from the event', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user, { txHash: '0x1', confirmations: 12 });
    await apply(server, credited(data));
    expect(await rowOf(data.no)).toMatchObject({
      state: 1,
      amount: '50',
      txHash: '0x1',
      confirmations: 12,
      account: user,
    });
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '50' });
  });

  test('without a detection is rejected with the name of a missing field', async () => {
    const complete = fieldsOf(await makeUser(server));
    for (const field of ['account', 'market', 'network', 'address', 'amount', 'confirmations', 'source']) {
      const data = Object.fromEntries(Object.entries(complete).filter(([name]) => name !== field));
      expect(await expectRejection(server, { type: 'recharge.credited', data })).toBe(`invalid: ${field}`);
    }
    expect(await expectRejection(server, credited({ ...complete, account: 'nobody' }))).toBe('unknown: account');
    expect(await expectRejection(server, credited({ ...complete, market: 'NONE' }))).toBe('unknown: market');
  });

  test('may repeat the detected fields, also in another notation', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user, { amount: '50' });
    await apply(server, detected(data), credited({ ...data, amount: '50.000', account: user.toUpperCase() }));
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '50' });
  });

  test('may not change account, coin or amount', async () => {
    const user = await makeUser(server);
    const other = await makeUser(server);
    const { no, ...data } = fieldsOf(user);
    await apply(server, detected({ no, ...data }));
    expect(await expectRejection(server, credited({ no, amount: '51' }))).toBe('invalid: amount');
    expect(await expectRejection(server, credited({ no, account: other }))).toBe('invalid: account');
    expect(await expectRejection(server, credited({ no, market: 'BTC' }))).toBe('invalid: market');
  });

  test('may not change the amount of a detection that commits concurrently', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user);
    const raceWithDetection = () =>
      inTransaction(server.owner, async (db) => {
        await sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, created_at,
          recorded_at, updated_at)
        select ${data.no}, u.id, u.agent_id, 1, 'TRC20', 'T', 40, 1, 0, 0, 0, 0 from users u where u.account = ${user}`.execute(
          db,
        );
        const answer = send(server, credited(data));
        await waitUntilBlocked(server);
        return { answer };
      });
    const [answer] = await (await raceWithDetection()).answer;
    expect(answer).toMatchObject({ result: 'rejected', reason: 'invalid: amount' });
    expect(await fetchBalances(server, user)).toEqual({});
  });

  test('is rejected when repeated', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user);
    await apply(server, credited(data));
    expect(await expectRejection(server, credited(data))).toBe('exists');
    expect(await expectRejection(server, credited({ no: data.no }))).toBe('exists');
  });

  test('never reduces the confirmations', async () => {
    const data = fieldsOf(await makeUser(server), { confirmations: 9 });
    await apply(server, detected(data), credited({ no: data.no, confirmations: 2 }));
    expect(await rowOf(data.no)).toMatchObject({ state: 1, confirmations: 9 });
  });

  test('is held for a disabled user and notifies the platform', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user);
    await setUserState(server, user, 0);
    await apply(server, credited(data));
    expect(await rowOf(data.no)).toMatchObject({ state: 3, creditedAt: null });
    expect(await fetchEntries(server, user)).toEqual([]);
    expect(await reviewsOf(data.no)).toEqual([
      { data: { no: data.no, state: 3, reason: 'frozen', reasonCode: 'frozen' } },
    ]);
    expect(await expectRejection(server, credited({ no: data.no }))).toBe('state');
  });

  test('is held if recharges of the coin or its network are disabled', async () => {
    const user = await makeUser(server);
    const disabledMarket = await makeMarket(server, { rechargeState: 0 });
    const networks = [
      { network: 'ON', recharge: 1, withdraw: 0 },
      { network: 'OFF', recharge: 0, withdraw: 1 },
    ];
    const partlyDisabled = await makeMarket(server, { networks });
    const anyNetwork = await makeMarket(server);
    const isClosed = '网络未开放';
    const expected: [Partial<Fields>, string][] = [
      [{ market: disabledMarket }, '充值已关闭'],
      [{ network: 'OFF' }, isClosed],
      [{ network: 'o-f f' }, isClosed],
      [{ network: 'ON' }, ''],
      [{ network: 'on' }, ''],
      [{ network: 'not listed' }, isClosed],
      [{ network: 'Bank', source: 2 }, ''],
      [{ network: 'OFF', source: 2 }, isClosed],
      [{ market: anyNetwork, network: 'not listed' }, ''],
    ];
    for (const [fields, remark] of expected) {
      for (const isDetected of [true, false]) {
        const data = fieldsOf(user, { market: partlyDisabled, ...fields });
        await (isDetected ? apply(server, detected(data), credited({ no: data.no })) : apply(server, credited(data)));
        expect(await rowOf(data.no)).toMatchObject({ state: remark === '' ? 1 : 3, remark });
        const closed = { no: data.no, state: 3, reason: 'closed', reasonCode: 'closed' };
        expect(await reviewsOf(data.no)).toEqual(remark === '' ? [] : [{ data: closed }]);
      }
    }
    expect(await fetchBalances(server, user)).toEqual({
      [`${partlyDisabled} 1 active`]: '300',
      [`${anyNetwork} 1 active`]: '100',
    });
  });
});

describe('a recharge whose output has arrived already', () => {
  const HASH = 'c0ffee'.repeat(8);
  const holdRepeated = (state: 0 | 1) =>
    server.query(sql`update config set state = ${state} where key = 'recharge.holdRepeated'`);
  beforeEach(() => holdRepeated(1));
  afterAll(() => holdRepeated(0));

  const output = (account: string, more: Partial<Fields> = {}): Fields =>
    fieldsOf(account, { txHash: `${HASH}${account}`, index: 0, ...more });
  const userAlarms = (account: string) =>
    server.query(sql<{ kind: string; refType: string; detail: unknown }>`
      select a.kind, a.ref_type as "refType", a.detail from alarm a join users u on u.id = a.user_id and u.id = a.ref_id
      where u.account = ${account} order by a.id`);
  const idOf = async (no: string) =>
    (await server.query(sql<{ id: number }>`select id from recharge where no = ${no}`))[0]?.id;

  test('is held, and an alarm about the user names both', async () => {
    const user = await makeUser(server);
    const [first, second, third] = [output(user), output(user), output(user)];
    await apply(server, credited(first), credited(second));
    await apply(server, detected(third), credited({ no: third.no }));
    expect(await rowOf(first.no)).toMatchObject({ state: 1, remark: '' });
    for (const { no } of [second, third]) {
      expect(await rowOf(no)).toMatchObject({ state: 3, remark: '同一笔转账已到账' });
      const data = { no, state: 3, reason: 'repeated', reasonCode: 'repeated' };
      expect(await reviewsOf(no)).toEqual([{ data }]);
      expect(await alarmsOf(no)).toEqual([]);
    }
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '50' });
    const ids = await Promise.all([first, second, third].map(({ no }) => idOf(no)));
    const alarm = { kind: 'recharge.repeated', refType: 'user' };
    expect(await userAlarms(user)).toEqual([
      { ...alarm, detail: { no: second.no, txHash: first.txHash, recharge: `#${ids[1]}`, arrived: `#${ids[0]}` } },
      {
        ...alarm,
        detail: { no: third.no, txHash: first.txHash, recharge: `#${ids[2]}`, arrived: `#${ids[0]}、#${ids[1]}` },
      },
    ]);
  });

  test('is held as such, whatever else would hold it', async () => {
    const user = await makeUser(server);
    const [first, second] = [output(user), output(user)];
    await setUserState(server, user, 0);
    await apply(server, credited(first), credited(second));
    expect(await rowOf(first.no)).toMatchObject({ state: 3, remark: '用户已冻结' });
    expect(await rowOf(second.no)).toMatchObject({ state: 3, remark: '同一笔转账已到账' });
  });

  test('is credited where the setting is off, with the alarm', async () => {
    await holdRepeated(0);
    const user = await makeUser(server);
    const [first, second] = [output(user), output(user)];
    await apply(server, credited(first), credited(second));
    expect([await rowOf(first.no), await rowOf(second.no)]).toMatchObject([{ state: 1 }, { state: 1 }]);
    expect(await userAlarms(user)).toMatchObject([{ kind: 'recharge.repeated', detail: { no: second.no } }]);
  });

  const others: [string, Partial<Fields>][] = [
    ['another output', { index: 1 }],
    ['another account', { address: tronAddress('other') }],
    ['another transaction', { txHash: `${HASH}x` }],
    ['a voucher', { source: 2 }],
  ];
  test.each(others)('is not %s', async (_name, more) => {
    const user = await makeUser(server);
    const [first, second] = [output(user), output(user, more)];
    await apply(server, credited(first), credited(second));
    expect(await rowOf(second.no)).toMatchObject({ state: 1 });
    expect(await userAlarms(user)).toEqual([]);
  });

  test('is compared by hashes of 16 characters or more, and only if both say which output', async () => {
    for (const [both, state] of [
      [{ txHash: unique('h').padEnd(15, 'x').slice(-15) }, 1],
      [{ txHash: unique('h').padEnd(16, 'x').slice(-16) }, 3],
    ] as const) {
      const user = await makeUser(server);
      const [first, second] = [output(user, both), output(user, both)];
      await apply(server, credited(first), credited(second));
      expect([both, (await rowOf(second.no))?.state]).toEqual([both, state]);
    }
    const user = await makeUser(server);
    const { index: _index, ...unknown } = output(user);
    await apply(server, credited(unknown), credited({ ...unknown, no: unique('R') }));
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '100' });
  });

  test('is not compared with reversed, failed and waiting ones', async () => {
    const user = await makeUser(server);
    const [gone, lost, waiting, last] = [output(user), output(user), output(user), output(user)];
    await apply(server, credited(gone), reversed(gone.no), detected(lost), failed(lost.no), detected(waiting));
    await apply(server, credited(last));
    expect(await rowOf(last.no)).toMatchObject({ state: 1 });
    await apply(server, credited({ no: waiting.no }));
    expect(await rowOf(waiting.no)).toMatchObject({ state: 3 });
  });

  test('learns its output by the credit', async () => {
    const user = await makeUser(server);
    const first = output(user);
    const { txHash, index, ...later } = output(user);
    await apply(server, credited(first), detected(later));
    await apply(server, credited({ no: later.no, txHash: txHash ?? '', index: index ?? 0 }));
    expect(await rowOf(later.no)).toMatchObject({ state: 3 });
  });

  test('is found among ten that arrive at once', async () => {
    const user = await makeUser(server);
    const all = Array.from({ length: 10 }, () => output(user));
    await Promise.all(all.map((data) => send(server, credited(data))));
    const states = await Promise.all(all.map(async ({ no }) => (await rowOf(no))?.state ?? -1));
    expect(states.toSorted((a, b) => a - b)).toEqual([1, ...Array.from({ length: 9 }, () => 3)]);
  });
});

describe('recharge.failed', () => {
  test('moves a waiting or held recharge to failed with the remark', async () => {
    const user = await makeUser(server);
    const waiting = fieldsOf(user);
    const held = fieldsOf(user, { market: await makeMarket(server, { rechargeState: 0 }) });
    await apply(server, detected(waiting), credited(held), failed(waiting.no, 'no such transaction'), failed(held.no));
    expect(await rowOf(waiting.no)).toMatchObject({ state: 2, remark: 'no such transaction' });
    expect(await rowOf(held.no)).toMatchObject({ state: 2, remark: '' });
    expect(await fetchEntries(server, user)).toEqual([]);
    expect(await expectRejection(server, failed(waiting.no))).toBe('state');
    expect(await expectRejection(server, credited({ no: waiting.no }))).toBe('state');
  });

  test('is rejected for an unknown number and for a credited or reversed recharge', async () => {
    expect(await expectRejection(server, failed(unique('R')))).toBe('unknown: no');
    const data = fieldsOf(await makeUser(server));
    await apply(server, credited(data));
    expect(await expectRejection(server, failed(data.no))).toBe('state');
    await apply(server, reversed(data.no));
    expect(await expectRejection(server, failed(data.no))).toBe('state');
  });
});

describe('recharge.reversed', () => {
  test('debits the whole credit if the balance suffices', async () => {
    const user = await makeUser(server);
    const market = await makeMarket(server);
    const data = fieldsOf(user, { market });
    await apply(server, credited(data), reversed(data.no, 'reorganised'));
    expect(await rowOf(data.no)).toMatchObject({ state: 4, remark: 'reorganised' });
    const entries = await fetchEntries(server, user);
    expect(entries.at(-1)).toMatchObject({
      type: 25,
      amount: '-50',
      balance: '0',
      bucket: 'active',
      refType: 'recharge',
    });
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('0');
    const reverses = await server.query(sql`
      select t.id from transfer t join transfer first on first.id = t.reverses
      join recharge r on r.id = t.ref_id and first.ref_id = r.id where r.no = ${data.no}`);
    expect(reverses).toHaveLength(1);
    expect(await alarmsOf(data.no)).toEqual([]);
  });

  test('debits at most the balance and raises an alarm for the rest', async () => {
    const user = await makeUser(server);
    const data = fieldsOf(user, { amount: '50' });
    await apply(
      server,
      credited(data),
      {
        type: 'withdraw.requested',
        data: {
          no: unique('W'),
          account: user,
          market: 'USDT',
          ...onTron('any'),
          amount: '30.25',
          fee: '0',
        },
      },
      reversed(data.no),
    );
    // The frozen amount belongs to the withdrawal and is not debited.
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 frozen': '30.25' });
    expect((await fetchEntries(server, user)).at(-1)).toMatchObject({ type: 25, amount: '-19.75', balance: '0' });
    expect(await alarmsOf(data.no)).toEqual([{ kind: 'recharge.reversed', detail: { missing: '30.25' } }]);
  });

  test('posts nothing if the balance is zero', async () => {
    const user = await makeUser(server);
    const friend = await makeUser(server);
    const data = fieldsOf(user);
    const transfer = {
      no: unique('T'),
      account: user,
      toAccount: friend,
      market: 'USDT',
      platform: 1,
      toPlatform: 1,
      amount: '50',
    };
    await apply(server, credited(data), { type: 'transfer.made', data: transfer });
    const before = (await fetchEntries(server, user)).length;
    await apply(server, reversed(data.no));
    expect(await fetchEntries(server, user)).toHaveLength(before);
    expect(await rowOf(data.no)).toMatchObject({ state: 4 });
    expect(await alarmsOf(data.no)).toEqual([{ kind: 'recharge.reversed', detail: { missing: '50' } }]);
    expect(await fetchBalances(server, friend)).toEqual({ 'USDT 1 active': '50' });
  });

  test('is rejected for an unknown number and for a recharge that is not credited or already reversed', async () => {
    expect(await expectRejection(server, reversed(unique('R')))).toBe('unknown: no');
    const user = await makeUser(server);
    const waiting = fieldsOf(user);
    const held = fieldsOf(user, { market: await makeMarket(server, { rechargeState: 0 }) });
    const done = fieldsOf(user);
    await apply(server, detected(waiting), credited(held), credited(done), reversed(done.no));
    for (const { no } of [waiting, held, done]) expect(await expectRejection(server, reversed(no))).toBe('state');
    expect(await expectRejection(server, credited({ no: done.no }))).toBe('state');
  });

  test('debits once when ten events race', async () => {
    const user = await makeUser(server, { amount: '1000' });
    const data = fieldsOf(user);
    await apply(server, credited(data));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(server, reversed(data.no))));
    expect(answers.flat().filter((answer) => answer.result === 'applied')).toHaveLength(1);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '1000' });
  });
});
