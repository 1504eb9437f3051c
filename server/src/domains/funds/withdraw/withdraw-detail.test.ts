import type { WithdrawRisk } from '@hengtai/contract/funds/withdraw/calls';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { LedgerLine, WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onTron, tronAddress } from '../../../../test/address.ts';
import { findUser, findWithdraw, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { fetchRequestEntries, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { type Leg, post } from '../../../books/ledger/post.ts';

let server: TestServer;
let admin: string;
const HOUR = 3_600_000;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 2, '10000');
  await setPolicy(server, 'withdraw.refund', 0);
});

const detailOf = async (id: number, token = admin): Promise<WithdrawDetail> => {
  const answer = await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token });
  expect(answer).toMatchObject({ code: 200 });
  return answer.data;
};

async function pay(row: WithdrawRow): Promise<void> {
  await setPolicy(server, 'withdraw.pass', 0);
  await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: `hash-${row.no}` } });
}

/** Requests a withdrawal at a past time. */
async function requestAt(account: string, at: number, amount: string): Promise<void> {
  const data = { no: unique('W'), account, market: 'USDT', ...onTron('old'), amount, fee: '1' };
  await apply(server, { type: 'withdraw.requested', data, at });
}

/** Posts a manual addition or subtraction of an operator. */
async function adjust(
  account: string,
  amount: string,
  type: typeof ENTRY.manualAdd | typeof ENTRY.manualSub,
): Promise<void> {
  const { id } = await findUser(server, admin, account);
  const [row] = await server.query(sql<{ agentId: number }>`select agent_id as "agentId" from users where id = ${id}`);
  const house = { house: 'adjustment', stripe: id, marketId: 1 } as const;
  const user = {
    user: { id, agentId: row?.agentId ?? 0 },
    marketId: 1,
    platform: PLATFORM.fund,
    bucket: 'active',
  } as const;
  const sides = type === ENTRY.manualAdd ? { debit: house, credit: user } : { debit: user, credit: house };
  const leg: Leg = { ...sides, amount, debitType: type, creditType: type };
  const now = server.clock.now();
  await inTransaction(server.app.system, (db) => post(db, { refType: 'asset', refId: id, at: now, now }, [leg]));
}

describe('risks', () => {
  interface Case {
    risk: WithdrawRisk;
    name: string;
    isFlagged: boolean;
    make: () => Promise<WithdrawRow>;
  }
  const cases: Case[] = [
    {
      risk: 'first_address',
      name: 'an address that was never paid to',
      isFlagged: true,
      make: async () => {
        const user = await makeUser(server, { amount: '500' });
        await makeWithdraw(server, admin, user, { address: tronAddress('same-1') });
        return makeWithdraw(server, admin, user, { address: tronAddress('same-1') });
      },
    },
    {
      risk: 'first_address',
      name: 'an address that was paid to before',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '500' });
        await pay(await makeWithdraw(server, admin, user, { address: tronAddress('same-2') }));
        return makeWithdraw(server, admin, user, { address: tronAddress('same-2') });
      },
    },
    {
      risk: 'shared_address',
      name: 'another user withdrew to the address',
      isFlagged: true,
      make: async () => {
        await makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), {
          address: tronAddress('shared'),
        });
        return makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), {
          address: tronAddress('shared'),
        });
      },
    },
    {
      risk: 'shared_address',
      name: 'only the user itself withdrew to the address',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '500' });
        await makeWithdraw(server, admin, user, { address: tronAddress('own') });
        return makeWithdraw(server, admin, user, { address: tronAddress('own') });
      },
    },
    {
      risk: 'over_limit',
      name: 'the day adds up to more than the limit',
      isFlagged: true,
      make: async () => {
        const user = await makeUser(server, { amount: '90000' });
        await requestAt(user, server.clock.now() - 23 * HOUR, '30000');
        return makeWithdraw(server, admin, user, { amount: '20000.000000000000000001' });
      },
    },
    {
      risk: 'over_limit',
      name: 'exactly the limit',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '90000' });
        await requestAt(user, server.clock.now() - 23 * HOUR, '30000');
        return makeWithdraw(server, admin, user, { amount: '20000' });
      },
    },
    {
      risk: 'over_limit',
      name: 'the other one was more than a day ago',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '90000' });
        await requestAt(user, server.clock.now() - 25 * HOUR, '30000');
        return makeWithdraw(server, admin, user, { amount: '40000' });
      },
    },
    {
      risk: 'over_limit',
      name: 'the other one was cancelled',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '90000' });
        const other = await makeWithdraw(server, admin, user, { amount: '30000' });
        await apply(server, { type: 'withdraw.cancelled', data: { no: other.no } });
        return makeWithdraw(server, admin, user, { amount: '40000' });
      },
    },
    {
      risk: 'over_limit',
      name: 'a coin without a price',
      isFlagged: true,
      make: async () => {
        const user = await makeUser(server, { amount: '100', market: 'XRP' });
        return makeWithdraw(server, admin, user, { amount: '50', market: 'XRP' });
      },
    },
    {
      risk: 'credential_changed',
      name: 'a password changed within 72 hours',
      isFlagged: true,
      make: async () => {
        const user = await makeUser(server, { amount: '500' });
        await apply(server, {
          type: 'user.credential',
          data: { account: user, kind: 'password' },
          at: server.clock.now() - 71 * HOUR,
        });
        return makeWithdraw(server, admin, user);
      },
    },
    {
      risk: 'credential_changed',
      name: 'a password changed before that',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '500' });
        await apply(server, {
          type: 'user.credential',
          data: { account: user, kind: 'password' },
          at: server.clock.now() - 73 * HOUR,
        });
        return makeWithdraw(server, admin, user);
      },
    },
    {
      risk: 'manual_balance',
      name: 'the balance without manual additions is too small',
      isFlagged: true,
      make: async () => {
        const user = await makeUser(server, { amount: '50' });
        await adjust(user, '80', ENTRY.manualAdd);
        return makeWithdraw(server, admin, user, { amount: '51' });
      },
    },
    {
      risk: 'manual_balance',
      name: 'the balance without manual additions is enough',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '50' });
        await adjust(user, '80', ENTRY.manualAdd);
        return makeWithdraw(server, admin, user, { amount: '50' });
      },
    },
    {
      risk: 'manual_balance',
      name: 'a manual addition was subtracted again',
      isFlagged: false,
      make: async () => {
        const user = await makeUser(server, { amount: '50' });
        await adjust(user, '80', ENTRY.manualAdd);
        await adjust(user, '80', ENTRY.manualSub);
        return makeWithdraw(server, admin, user, { amount: '50' });
      },
    },
  ];

  test.each(cases)('$risk $isFlagged: $name', async ({ risk, isFlagged, make }) => {
    const row = await make();
    expect(row.risk.includes(risk)).toBe(isFlagged);
    expect((await detailOf(row.id)).risk).toEqual(row.risk);
  });

  test('flags ledger_mismatch when a balance differs from the sum of its entries', async () => {
    const user = await makeUser(server, { amount: '500' });
    const row = await makeWithdraw(server, admin, user);
    expect(row.risk).not.toContain('ledger_mismatch');
    const add = (amount: string) =>
      server.query(sql`update account set balance = balance + ${amount}::numeric
        where user_id = ${row.userId} and bucket = 'active' and market_id = 1`);
    await add('0.000000000000000001');
    expect((await detailOf(row.id)).risk).toContain('ledger_mismatch');
    expect((await makeWithdraw(server, admin, user)).risk).toContain('ledger_mismatch');
    await add('-0.000000000000000001');
    expect((await detailOf(row.id)).risk).not.toContain('ledger_mismatch');
  });

  test('filters the list by a risk', async () => {
    const row = await makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), {
      address: tronAddress('filter'),
    });
    await makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), { address: tronAddress('filter') });
    const input = { address: tronAddress('filter'), risk: 'shared_address' };
    const { data } = await call<{ total: number; list: WithdrawRow[] }>(server, 'GET', 'withdraw/list', input, {
      token: admin,
    });
    // The first withdrawal did not share the address when it was requested.
    expect(data.total).toBe(1);
    expect(data.list[0]?.id).not.toBe(row.id);
  });
});

describe('the cockpit', () => {
  test('returns the customer with deposits, addresses and changes of credentials', async () => {
    const agent = await makeOperator(server, admin);
    const user = await makeUser(server, { agent: agent.account, amount: '1000' });
    await recharge(server, user, '0.5', 'BTC');
    const at = server.clock.now() - HOUR;
    await apply(
      server,
      { type: 'user.login', data: { account: user, ip: '203.0.113.9' }, at },
      { type: 'user.credential', data: { account: user, kind: 'password' }, at: at - 5 },
      { type: 'user.credential', data: { account: user, kind: 'otp' }, at },
    );
    const { id: userId } = await findUser(server, admin, user);
    await call(server, 'POST', 'user/note/add', { id: userId, text: '已电话核实' }, { token: admin });
    const paid = await makeWithdraw(server, admin, user, { amount: '200', address: tronAddress('known') });
    await pay(paid);
    await setPolicy(server, 'withdraw.pass', 2, '10000');
    const other = await makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), {
      address: tronAddress('known'),
    });
    const row = await makeWithdraw(server, admin, user, { amount: '100', address: tronAddress('known') });
    const detail = await detailOf(row.id);
    expect(detail.row).toEqual(row);
    expect(detail.user).toMatchObject({
      account: user,
      agent: agent.account,
      agentRoot: agent.account,
      state: 1,
      lastLoginAt: at,
      lastLoginIp: '203.0.113.9',
      // BTC has no price yet.
      valuation: null,
    });
    expect(detail.risk).toEqual(['shared_address', 'credential_changed']);
    expect(detail.deposits).toEqual([
      { marketId: 1, marketName: 'USDT', recharge: '1000', withdraw: '200', net: '800' },
      { marketId: 2, marketName: 'BTC', recharge: '0.5', withdraw: '0', net: '0.5' },
    ]);
    expect(detail.recharges.map(({ marketName, amount, state }) => [marketName, amount, state])).toEqual([
      ['BTC', '0.5', 1],
      ['USDT', '1000', 1],
    ]);
    expect(detail.withdraws.map(({ id }) => id)).toEqual([paid.id]);
    expect(detail.addresses).toEqual([
      {
        address: tronAddress('known'),
        memo: '',
        network: 'TRC20',
        marketName: 'USDT',
        times: 2,
        total: '300',
        firstAt: paid.createdAt,
        lastAt: row.createdAt,
        users: 2,
        current: true,
      },
    ]);
    expect(other.risk).toContain('shared_address');
    expect(detail.credentials).toEqual([
      { kind: 'otp', at },
      { kind: 'password', at: at - 5 },
    ]);
    expect(detail.logins).toEqual([{ id: expect.any(Number), ip: '203.0.113.9', device: null, at }]);
    expect(detail.notes).toEqual([
      { id: expect.any(Number), text: '已电话核实', by: 'admin', createdAt: expect.any(Number) },
    ]);
    expect(detail.target).toBe(30);
    expect(detail.limit).toEqual({ used: '300', limit: '50000', withdrawMin: '1', withdrawMax: '0' });
    expect(detail.approval).toMatchObject({ needed: false, amount: '100', openId: null, maker: null });
  });

  test('lists contain the last ten records', async () => {
    const user = await makeUser(server);
    for (let n = 1; n <= 12; n += 1) await recharge(server, user, `${100 + n}`);
    const rows: WithdrawRow[] = [];
    for (let n = 0; n < 12; n += 1) rows.push(await makeWithdraw(server, admin, user, { amount: `${10 + n}` }));
    const detail = await detailOf(rows[5]?.id ?? 0);
    expect(detail.recharges.map(({ amount }) => amount)).toEqual(Array.from({ length: 10 }, (_, n) => `${112 - n}`));
    const expected = [11, 10, 9, 8, 7, 6, 4, 3, 2, 1].map((n) => rows[n]?.id);
    expect(detail.withdraws.map(({ id }) => id)).toEqual(expected);
    expect(detail.addresses).toHaveLength(10);
  });

  test('returns the actions that need a checker and the open approval', async () => {
    const user = await makeUser(server, { amount: '20000' });
    const row = await makeWithdraw(server, admin, user, { amount: '10000.5' });
    const none = { openId: null, maker: null, checker: null, submittedAt: null };
    const expected = { needed: true, amount: '10000.5', ...none };
    expect((await detailOf(row.id)).approval).toEqual({ ...expected, seconds: ['pass', 'resolve'] });
    await setPolicy(server, 'withdraw.resolve', 0);
    await setPolicy(server, 'withdraw.retry', 1);
    expect((await detailOf(row.id)).approval).toEqual({ ...expected, seconds: ['pass', 'retry'] });
    await setPolicy(server, 'withdraw.resolve', 1);
    await setPolicy(server, 'withdraw.retry', 0);
    const passed = await call<{ id: number }>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    expect((await detailOf(row.id)).approval).toMatchObject({ openId: passed.data.id, maker: 'admin' });
  });

  test('names who submitted and who checked it, each with the own time', async () => {
    const user = await makeUser(server, { amount: '20000' });
    const row = await makeWithdraw(server, admin, user, { amount: '10001' });
    const checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
    const { data: asked } = await call<ApprovalRow>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    const submittedAt = asked.createdAt;
    expect((await detailOf(row.id)).approval).toMatchObject({ openId: asked.id, maker: 'admin', submittedAt });
    server.clock.move(HOUR);
    const done = await call<ApprovalRow>(server, 'POST', 'approval/pass', { id: asked.id }, { token: checker.token });
    const { approval, row: after } = await detailOf(row.id);
    expect(approval).toMatchObject({ openId: null, maker: 'admin', checker: checker.account, submittedAt });
    expect(after).toMatchObject({ by: 'admin', secondBy: checker.account, reviewedAt: done.data.decidedAt });
    expect(after.reviewedAt).toBeGreaterThanOrEqual(submittedAt + HOUR);
    // The platform reports later: the times of the people stay.
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: `hash-${row.no}` } });
    expect((await detailOf(row.id)).approval).toMatchObject({ maker: 'admin', submittedAt });
    // A maker outside the tree has no name.
    const local = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const other = await makeUser(server, { amount: '20000', agent: local.account });
    const second = await makeWithdraw(server, admin, other, { amount: '10001' });
    await call(server, 'POST', 'withdraw/pass', { id: second.id }, { token: admin });
    const seen = (await detailOf(second.id, local.token)).approval;
    expect(seen).toMatchObject({ maker: null, checker: null, submittedAt: expect.any(Number) });
  });

  test('values a coin only when it has a price', async () => {
    const user = await makeUser(server, { amount: '2', market: 'SOL' });
    const before = await makeWithdraw(server, admin, user, { amount: '1', fee: '0.01', market: 'SOL' });
    expect(before.valuation).toBeNull();
    expect(await detailOf(before.id)).toMatchObject({
      user: { valuation: null },
      limit: { used: null },
      approval: { needed: true, amount: null },
    });
    await apply(server, { type: 'tick', data: { market: 'SOL', price: '150.25', at: server.clock.now() } });
    const after = await makeWithdraw(server, admin, user, { amount: '1', fee: '0.01', market: 'SOL' });
    expect(after.valuation).toBe('150.25');
    expect(await detailOf(after.id)).toMatchObject({
      user: { valuation: '300.5' },
      limit: { used: '300.5' },
      approval: { needed: false, amount: '150.25' },
    });
  });

  test('hides the agents above the operator', async () => {
    const above = await makeOperator(server, admin);
    const below = await makeOperator(server, admin, { parent: above.account, abilities: [3] });
    const row = await makeWithdraw(server, admin, await makeUser(server, { agent: below.account, amount: '500' }));
    const text = JSON.stringify(await detailOf(row.id, below.token));
    expect(text).not.toContain(`"${above.account}"`);
    expect((await detailOf(row.id, below.token)).user.agentRoot).toBe(below.account);
    expect((await detailOf(row.id)).user.agentRoot).toBe(above.account);
  });
});

describe('the preview equals the posted entries', () => {
  const houses: Readonly<Record<string, string>> = { 托管: 'custody', 手续费收入: 'fee' };
  const comparableLines = (lines: readonly LedgerLine[]) =>
    lines.map(({ owner, bucket, type, amount, balance }) => ({
      owner: houses[owner] ?? 'user',
      bucket,
      type,
      amount,
      // Balances of system accounts are hidden.
      balance: owner in houses ? null : balance,
    }));

  const fetchNewEntries = async (row: WithdrawRow) =>
    (await fetchRequestEntries(server, row.id))
      .slice(2)
      .map((entry) => (entry.owner === 'user' ? entry : { ...entry, balance: null }));

  const makeWithWaitingOther = async (fee: string): Promise<WithdrawRow> => {
    const user = await makeUser(server, { amount: '777.000000000000000007' });
    await makeWithdraw(server, admin, user, { amount: '50' });
    return makeWithdraw(server, admin, user, { amount: '100.000000000000000001', fee });
  };

  test.each(['1.5', '0'])('paid, with a fee of %s', async (fee) => {
    const row = await makeWithWaitingOther(fee);
    const { preview } = await detailOf(row.id);
    expect(preview.pass).toHaveLength(fee === '0' ? 2 : 4);
    expect(preview.pass[0]).toMatchObject({ owner: row.account, platform: 1, marketName: 'USDT' });
    await pay(row);
    expect(comparableLines(preview.pass)).toEqual(await fetchNewEntries(row));
    expect((await detailOf(row.id)).preview).toEqual({ pass: [], reject: [] });
  });

  test('rejected', async () => {
    const row = await makeWithWaitingOther('1.5');
    const { preview } = await detailOf(row.id);
    await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '流水不足' }, { token: admin });
    expect(comparableLines(preview.reject)).toEqual(await fetchNewEntries(row));
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 5 });
  });
});
