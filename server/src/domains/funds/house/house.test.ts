import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type {
  HouseEntry,
  HouseEntrySum,
  HouseList,
  HousePreview,
  HouseTransfer,
  HouseTransferred,
} from '@hengtai/contract/funds/house/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { ENTRY } from '@hengtai/contract/values/money';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchHouseBalance, makeMarket } from '../../../../test/book.ts';
import { makeOtpOperator } from '../../../../test/codes.ts';
import { type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { callWithChecker, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { runWhileLocked, setPolicy } from '../../../../test/inspect.ts';
import { call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { leg, post } from '../../../books/ledger/post.ts';
import { inTransaction } from '../../../database/connect.ts';

const server = provideServer({ jobs: false });
let admin: string;
let checker: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  checker = await makeOperator(server, admin, {
    abilities: [ABILITY.assets, ABILITY.approval, ABILITY.headquarters],
  });
});
beforeEach(() => setPolicy(server, 'house.transfer', 0));

/** A coin of its own, whose accounts no other test moves. */
async function makeCoin(): Promise<{ id: number; name: string }> {
  const name = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
  if (!row) throw new Error('no market');
  return { id: row.id, name };
}

const transfer = <T = HouseTransferred>(input: Partial<HouseTransfer>, token = admin, key?: string) =>
  call<T>(
    server,
    'POST',
    'house/transfer',
    { amount: '1', reason: '测试', ...input },
    { token, ...(key !== undefined && { key }) },
  );

const payIn = (marketId: number, amount: string) =>
  transfer({ marketId, from: 'custody', to: 'capital', amount, txHash: unique('0x') });

const balancesOf = async (marketId: number, at?: number): Promise<Record<string, string>> => {
  const { balances } = await fetchData<HouseList>(server, admin, 'house/list', {
    marketId,
    ...(at !== undefined && { at }),
  });
  return Object.fromEntries(balances.map(({ house, balance }) => [house, balance]));
};

/** The entries of each account, summed without their balances. */
async function sumsOf(marketId: number, at: number): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ owner: string; amount: string }>`
    select a.owner, sum(e.amount) as amount from entry e join account a on a.id = e.account_id
    where a.market_id = ${marketId} and a.user_id is null and e.recorded_at <= ${at} group by a.owner`);
  return Object.fromEntries(rows.map(({ owner, amount }) => [owner, amount]));
}

describe('house/transfer', () => {
  test('pays capital in and out of custody and funds the insurance; the books stay exact', async () => {
    const { id, name } = await makeCoin();
    const paid = await payIn(id, '1000.000000000000000001');
    expect(paid).toMatchObject({
      code: 200,
      data: { marketId: id, marketName: name, from: 'custody', to: 'capital', amount: '1000.000000000000000001' },
    });
    expect((await transfer({ marketId: id, from: 'capital', to: 'insurance', amount: '400' })).code).toBe(200);
    const out = {
      marketId: id,
      from: 'capital',
      to: 'custody',
      amount: '0.000000000000000001',
      txHash: '0xout',
    } as const;
    expect((await transfer(out)).code).toBe(200);
    expect(await balancesOf(id)).toEqual({ custody: '-1000', capital: '600', insurance: '400' });
    expect(await checkBook(server.owner)).toEqual([]);
    const audited = await server.query(sql`select after, reason from audit
      where action = 'house.transfer' and result = 200 and target_type = 'house' and target_id = ${id} order by id`);
    expect(audited).toEqual([
      {
        after: {
          marketName: name,
          from: 'custody',
          to: 'capital',
          amount: '1000.000000000000000001',
          txHash: paid.data.txHash,
          transferId: paid.data.id,
        },
        reason: '测试',
      },
      expect.objectContaining({ after: expect.objectContaining({ to: 'insurance', txHash: null }) }),
      expect.objectContaining({ after: expect.objectContaining({ to: 'custody', txHash: '0xout' }) }),
    ]);
  });

  test.each([
    ['a user account', { from: 'fee', to: 'user' }, '转入账户格式不正确'],
    ['a user by name', { from: 'li.wei', to: 'capital' }, '转出账户格式不正确'],
    ['one account twice', { from: 'fee', to: 'fee' }, '转出账户与转入账户不能相同'],
    ['custody without a hash', { from: 'custody', to: 'capital' }, '与托管互转须填写链上收付款的交易哈希'],
    ['to custody without a hash', { from: 'capital', to: 'custody' }, '与托管互转须填写链上收付款的交易哈希'],
    ['custody against insurance', { from: 'custody', to: 'insurance', txHash: '0x1' }, '托管只能与自有资金互转'],
    ['fees to custody', { from: 'fee', to: 'custody', txHash: '0x1' }, '托管只能与自有资金互转'],
    ['no reason', { from: 'fee', to: 'insurance', reason: ' ' }, '原因格式不正确'],
    ['nothing', { from: 'fee', to: 'insurance', amount: '0' }, '数量格式不正确'],
  ])('refuses %s', async (_name, input, msg) => {
    const { id } = await makeCoin();
    const refused = await transfer({ marketId: id, ...input } as Partial<HouseTransfer>);
    expect(refused).toMatchObject({ code: 422, msg });
    expect(await balancesOf(id)).toEqual({});
  });

  test('refuses an unknown coin and a pair', async () => {
    const coin = await makeCoin();
    const [pair] = await server.query(sql<{ id: number }>`
      insert into market (market_name, base_id, quote_id, created_at, recorded_at, updated_at)
      values (${unique('PAIR')}, ${coin.id}, 1, 1, 1, 1) returning id`);
    for (const marketId of [pair?.id ?? 0, 999_999])
      expect(await transfer({ marketId, from: 'fee', to: 'insurance' })).toMatchObject({
        code: 422,
        msg: '币种不存在',
      });
  });

  test('never overdraws capital, neither in another coin nor by two at once', async () => {
    const [coin, other] = [await makeCoin(), await makeCoin()];
    await payIn(coin.id, '100');
    const take = { from: 'capital', to: 'insurance' } as const;
    expect(await transfer({ ...take, marketId: other.id, amount: '1' })).toMatchObject({
      code: 409,
      msg: `自有资金余额不足，现有 0 ${other.name}`,
      data: { available: '0' },
    });
    expect(await transfer({ ...take, marketId: coin.id, amount: '100.000000000000000001' })).toMatchObject({
      code: 409,
      msg: `自有资金余额不足，现有 100 ${coin.name}`,
    });
    const takeMost = () => transfer({ ...take, marketId: coin.id, amount: '60' });
    // Both have read the balance before either is posted.
    const both = await runWhileLocked(
      server,
      (tx) => sql`select 1 from account where market_id = ${coin.id} and owner = 'capital' for update`.execute(tx),
      takeMost,
      takeMost,
    );
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await balancesOf(coin.id)).toEqual({ custody: '-100', capital: '40', insurance: '60' });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('refuses an amount beyond what an account can hold', async () => {
    const { id } = await makeCoin();
    const most = '999999999999999999';
    expect((await transfer({ marketId: id, from: 'fee', to: 'insurance', amount: most })).code).toBe(200);
    expect(await transfer({ marketId: id, from: 'fee', to: 'insurance', amount: most })).toMatchObject({
      code: 422,
      msg: '数量超出账户可记录的范围',
    });
  });

  test('other accounts may become negative', async () => {
    const { id } = await makeCoin();
    await transfer({ marketId: id, from: 'fee', to: 'chainFee', amount: '2' });
    expect(await balancesOf(id)).toEqual({ fee: '-2', chainFee: '2' });
  });

  test('has its effect once for a repeated key', async () => {
    const { id } = await makeCoin();
    const input = { marketId: id, from: 'fee', to: 'insurance', amount: '3' } as const;
    const key = unique('key');
    const [first, second] = [await transfer(input, admin, key), await transfer(input, admin, key)];
    expect(second.data).toEqual(first.data);
    expect(await balancesOf(id)).toEqual({ fee: '-3', insurance: '3' });
  });

  test('needs a second person by default, who sees the accounts and repeats every check', async () => {
    await setPolicy(server, 'house.transfer', 1);
    const { id, name } = await makeCoin();
    const input = { marketId: id, from: 'custody', to: 'capital', amount: '50', reason: '注资', txHash: '0xin' };
    const request = await transfer<ApprovalRow>(input as HouseTransfer);
    expect(request).toMatchObject({ code: 202, data: { type: 'house.transfer', targetType: 'house', targetId: id } });
    expect(await balancesOf(id)).toEqual({});
    expect((await transfer(input as HouseTransfer)).code).toBe(409);
    const detail = await fetchData<ApprovalDetail>(server, checker.token, 'approval/detail', { id: request.data.id });
    expect(JSON.stringify(detail)).toContain('自有资金');
    expect(JSON.stringify(detail)).toContain('0xin');
    expect(detail.lines).toMatchObject([
      { owner: '托管', before: '0', amount: '-50', balance: '-50' },
      { owner: '自有资金', before: '0', amount: '50', balance: '50' },
    ]);
    const own = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: admin });
    expect(own.code).toBe(403);
    const passed = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: checker.token });
    expect(passed.code).toBe(200);
    expect(await balancesOf(id)).toEqual({ custody: '-50', capital: '50' });
    const [row] = await server.query(sql`select operator_id as operator, checker_id as checker from house_transfer
      where market_id = ${id}`);
    expect(row).toEqual({ operator: 1, checker: checker.id });
    const entries = await fetchData<Page<HouseEntry>>(server, admin, 'house/entries', { marketId: id });
    expect(entries.list[0]).toMatchObject({ operator: 'admin', txHash: '0xin', remark: '注资', marketName: name });
  });

  test('an approval that capital no longer covers fails and moves nothing', async () => {
    const { id, name } = await makeCoin();
    await payIn(id, '10');
    await setPolicy(server, 'house.transfer', 1);
    const request = await transfer<ApprovalRow>({ marketId: id, from: 'capital', to: 'insurance', amount: '8' });
    await setPolicy(server, 'house.transfer', 0);
    await transfer({ marketId: id, from: 'capital', to: 'fee', amount: '5' });
    const passed = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: checker.token });
    expect(passed).toMatchObject({ code: 409, msg: `复核未能执行：自有资金余额不足，现有 5 ${name}` });
    expect(await balancesOf(id)).toEqual({ custody: '-10', capital: '5', fee: '5' });
  });

  test('a checker approves what was asked for with a fresh code only', async () => {
    await setPolicy(server, 'house.transfer', 1);
    const maker = await makeOtpOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.headquarters] });
    const { id } = await makeCoin();
    await server.query(sql`update session set fresh_at = null where operator_id = ${maker.id}`);
    const input = { marketId: id, from: 'fee', to: 'insurance', amount: '1', reason: '测试' };
    expect((await transfer(input as HouseTransfer, maker.token)).code).toBe(428);
    await refreshAllOtp(server);
    expect((await callWithChecker(server, [maker, checker], 'house/transfer', input)).code).toBe(200);
    expect(await balancesOf(id)).toEqual({ fee: '-1', insurance: '1' });
  });
});

describe('who may', () => {
  test('read with full scope and ability 2 or 12, transfer with ability 2', async () => {
    const { id } = await makeCoin();
    const make = (abilities: number[]) => makeOperator(server, admin, { abilities });
    const everyOther = Object.values(ABILITY).filter(
      (ability) => ![ABILITY.assets, ABILITY.audit, ABILITY.headquarters].some((one) => one === ability),
    );
    const cases = [
      { who: await make([ABILITY.assets, ABILITY.headquarters]), read: 200, move: 200 },
      { who: await make([ABILITY.audit, ABILITY.headquarters]), read: 200, move: 403 },
      { who: await make([...everyOther, ABILITY.headquarters]), read: 403, move: 403 },
      { who: await make([ABILITY.assets, ABILITY.audit]), read: 403, move: 403 },
    ];
    const places = { marketId: id, from: 'fee', to: 'insurance' } as const;
    for (const { who, read, move } of cases) {
      const { token } = who;
      expect((await call(server, 'GET', 'house/list', {}, { token })).code).toBe(read);
      expect((await call(server, 'GET', 'house/entries', {}, { token })).code).toBe(read);
      expect((await call(server, 'GET', 'house/preview', places, { token })).code).toBe(move);
      expect((await transfer(places, token)).code).toBe(move);
    }
  });
});

describe('house/list', () => {
  test('with the balances of users, the accounts of each coin sum to zero', async () => {
    const { id, name } = await makeCoin();
    await makeUser(server, { amount: '12.5', market: name });
    await payIn(id, '3');
    const balances = await balancesOf(id);
    expect(balances).toEqual({ custody: '-15.5', capital: '3' });
    expect(await fetchHouseBalance(server, 'custody', name)).toBe('-15.5');
    const all = await fetchData<HouseList>(server, admin, 'house/list', {});
    const totals = await server.query(sql<{ market: string; users: string }>`
      select m.market_name as market, sum(a.balance) as users from account a join market m on m.id = a.market_id
      where a.user_id is not null group by 1`);
    for (const { market, users } of totals) {
      const lines = all.balances.filter(({ marketName }) => marketName === market);
      const sum = lines.reduce((total, { balance }) => total.plus(balance), new Decimal(users));
      expect(`${market} ${sum.toFixed()}`).toBe(`${market} 0`);
    }
  });

  test('values at the current price; without one there is no value', async () => {
    const { id } = await makeCoin();
    await transfer({ marketId: id, from: 'fee', to: 'insurance', amount: '4' });
    const valueOf = async () => {
      const { balances } = await fetchData<HouseList>(server, admin, 'house/list', { marketId: id });
      return balances.find(({ house }) => house === 'insurance')?.valuation;
    };
    expect(await valueOf()).toBeNull();
    await server.query(sql`update market set price = 2.5, price_at = 1 where id = ${id}`);
    expect(await valueOf()).toBe('10');
  });

  test('the balances of any moment equal the entries that were posted until then', async () => {
    const { id, name } = await makeCoin();
    const release = server.clock.freeze();
    const start = server.clock.now();
    const moments = [start - 1];
    for (let step = 0; step < 6; step++) {
      await makeUser(server, { amount: `${step + 1}.25`, market: name });
      await transfer({ marketId: id, from: 'fee', to: 'insurance', amount: `${step + 1}` });
      moments.push(server.clock.now());
      server.clock.move(step % 2 === 0 ? 45_000 : 600_000);
      moments.push(server.clock.now() - 1);
    }
    release();
    for (const at of moments) expect(await balancesOf(id, at)).toEqual(await sumsOf(id, at));
    expect(await balancesOf(id, start - 1)).toEqual({});
    expect(await balancesOf(id, server.clock.now())).toEqual(await balancesOf(id));
  });

  test('entries whose clock was read before that of an earlier one count by their own time', async () => {
    const { id } = await makeCoin();
    const start = server.clock.now();
    const seconds = [0, 40, 20, 300, 290, 301, 300, 345, 310, 4_000, 3_990];
    for (const second of seconds) {
      const at = start + second * 1_000;
      const place = { stripe: 3, marketId: id };
      await inTransaction(server.owner, (db) =>
        post(db, { refType: 'test', refId: 1, at, now: at }, [
          leg({ house: 'fee', ...place }, { house: 'insurance', ...place }, `${second + 1}`, ENTRY.fee),
        ]),
      );
    }
    const moments = [...seconds, 60, 359, 1_000, 9_000].flatMap((second) => [second * 1_000, second * 1_000 - 1]);
    for (const after of moments) {
      const at = start + after;
      expect(await balancesOf(id, at)).toEqual(await sumsOf(id, at));
    }
  });
});

describe('house/entries', () => {
  test('lists what was posted to an account, with the user on the other side, sums and an export', async () => {
    const { id, name } = await makeCoin();
    const account = await makeUser(server, { amount: '7', market: name });
    await payIn(id, '2');
    type Entries = Page<HouseEntry, HouseEntrySum>;
    const custody = await fetchData<Entries>(server, admin, 'house/entries', { house: 'custody', marketId: id });
    expect(custody.list.map(({ type, amount, account: user }) => ({ type, amount, user }))).toEqual([
      { type: ENTRY.houseTransfer, amount: '-2', user: null },
      { type: ENTRY.recharge, amount: '-7', user: account },
    ]);
    expect(custody.summary).toMatchObject([{ marketId: id, count: 2, amount: '-9', in: '0', out: '9' }]);
    const all = await fetchData<Entries>(server, admin, 'house/entries', { marketId: id });
    expect(all.list.map(({ house }) => house).toSorted()).toEqual(['capital', 'custody', 'custody']);
    const moved = await fetchData<Entries>(server, admin, 'house/entries', { marketId: id, type: 30 });
    expect(moved.list.map(({ house, amount }) => `${house} ${amount}`)).toEqual(['capital 2', 'custody -2']);
    const { id: no } = moved.list[0] ?? { id: 0 };
    expect((await fetchData<Entries>(server, admin, 'house/entries', { id: no })).total).toBe(1);
    expect((await fetchData<Entries>(server, admin, 'house/entries', { house: 'nobody' })).total).toBe(0);
    const csv = await server.server.inject({
      method: 'POST',
      url: '/api/v1/admin/house/entries/excel',
      headers: { token: admin, 'content-type': 'application/json' },
      payload: JSON.stringify({ marketId: id, house: 'custody', format: 'csv' }),
    });
    expect(csv.statusCode).toBe(200);
    expect(csv.body).toContain('托管');
    expect(csv.body).toContain(account);
  });
});

describe('house/preview', () => {
  test('tells both balances, the value, the checker, and why it would be refused', async () => {
    const { id, name } = await makeCoin();
    await payIn(id, '5');
    await server.query(sql`update market set price = 2, price_at = ${server.clock.now()} where id = ${id}`);
    const preview = (input: object) =>
      fetchData<HousePreview>(server, admin, 'house/preview', {
        marketId: id,
        from: 'capital',
        to: 'insurance',
        ...input,
      });
    expect(await preview({ amount: '4' })).toMatchObject({
      from: { before: '5', after: '1' },
      to: { before: '0', after: '4' },
      valuation: '8',
      priceOld: false,
      needsApproval: false,
      refusal: null,
    });
    expect((await preview({ amount: '6' })).refusal).toBe(`自有资金余额不足，现有 5 ${name}`);
    await setPolicy(server, 'house.transfer', 1);
    expect(await preview({ amount: '4' })).toMatchObject({ needsApproval: true, refusal: null });
    await transfer({ marketId: id, from: 'capital', to: 'fee', amount: '1' });
    expect((await preview({ amount: '4' })).refusal).toBe('该操作已有待复核的申请');
    const wrong = await call(
      server,
      'GET',
      'house/preview',
      { marketId: id, from: 'custody', to: 'fee' },
      { token: admin },
    );
    expect(wrong.code).toBe(422);
  });
});
