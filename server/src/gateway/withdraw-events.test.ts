import { type WithdrawState, withdrawEventStates } from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import {
  type SentEvent,
  fetchEntries,
  fetchBalances,
  fetchHouseBalance,
  makeMarket,
  expectRejection,
  setUserState,
  runWhileLive,
} from '../../test/book.ts';
import {
  type TestOperator,
  findWithdraw,
  makeOperator,
  makeUser,
  makeWithdraw,
  recharge,
} from '../../test/factories.ts';
import { waitUntilBlocked } from '../../test/inspect.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../test/server.ts';
import { inTransaction } from '../database/connect.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;
let admin: string;
let checker: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  checker = await makeOperator(server, admin, { abilities: [3, 11, 13] });
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
  memo?: string;
  amount: string;
  fee: string;
}

const fieldsOf = (account: string, more: Partial<Fields> = {}): Fields => ({
  no: unique('W'),
  account,
  market: 'USDT',
  ...onTron('address'),
  amount: '100',
  fee: '1',
  ...more,
});
const requested = (data: Fields): SentEvent => ({ type: 'withdraw.requested', data });

/** Performs an action on withdrawals, with the checker's approval if it needs one. */
const perform = async (name: string, input: object): Promise<void> => {
  const { code, msg, data } = await call<ApprovalRow>(server, 'POST', `withdraw/${name}`, input, { token: admin });
  if (code === 202) {
    const passed = await call(server, 'POST', 'approval/pass', { id: data.id }, { token: checker.token });
    if (passed.code !== 200) throw new Error(`approval/pass: ${passed.msg}`);
  } else if (code !== 200) throw new Error(`withdraw/${name}: ${msg}`);
};

/** Brings a new withdrawal into each state. */
const bringTo: Record<WithdrawState, (row: WithdrawRow) => Promise<void>> = {
  0: async () => undefined,
  1: async ({ id }) => {
    await server.query(sql`update config set state = 1 where key = 'policy.withdraw.pass'`);
    const { code } = await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
    await server.query(sql`update config set state = 2 where key = 'policy.withdraw.pass'`);
    if (code !== 202) throw new Error(`withdraw/pass: ${code}`);
  },
  2: ({ id }) => perform('pass', { id }),
  3: async (row) => {
    await bringTo[2](row);
    await apply(server, { type: 'withdraw.paying', data: { no: row.no } });
  },
  4: async (row) => {
    await bringTo[2](row);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xearlier' } });
  },
  5: ({ id }) => perform('reject', { id, reason: 'no' }),
  6: (row) => apply(server, { type: 'withdraw.cancelled', data: { no: row.no } }),
  7: async (row) => {
    await bringTo[2](row);
    await apply(server, { type: 'withdraw.failed', data: { no: row.no, reason: 'earlier' } });
  },
  8: async (row) => {
    await bringTo[2](row);
    await apply(server, { type: 'withdraw.unknown', data: { no: row.no } });
  },
  9: async (row) => {
    await bringTo[7](row);
    await perform('refund', { id: row.id, reason: 'given up' });
  },
};

/** A withdrawal of 100 with a fee of 1, out of 150, in a state. */
async function withdrawalIn(state: WithdrawState): Promise<WithdrawRow> {
  const user = await makeUser(server, { amount: '150' });
  const row = await makeWithdraw(server, admin, user, { amount: '100', fee: '1' });
  await bringTo[state](row);
  const found = await findWithdraw(server, admin, row.no);
  expect(found.state).toBe(state);
  return found;
}

const allStates = Object.keys(withdrawStates).map((state) => Number(state) as WithdrawState);

const answers = {
  cancelled: { to: WITHDRAW.cancelled, data: {} },
  paying: { to: WITHDRAW.paying, data: { txHash: '0xnew' } },
  paid: { to: WITHDRAW.paid, data: { txHash: '0xnew' } },
  failed: { to: WITHDRAW.failed, data: { reason: 'no hot wallet' } },
  unknown: { to: WITHDRAW.unknown, data: { reason: 'no answer' } },
} as const;

/** The user's balances in each state of a withdrawal. */
const whileFrozen = { 'USDT 1 active': '50', 'USDT 1 frozen': '100' };
const afterRelease = { 'USDT 1 active': '150' };
const afterPayout = { 'USDT 1 active': '50' };
const moneyIn: Record<WithdrawState, object> = {
  0: whileFrozen,
  1: whileFrozen,
  2: whileFrozen,
  3: whileFrozen,
  4: afterPayout,
  5: afterRelease,
  6: afterRelease,
  7: whileFrozen,
  8: whileFrozen,
  9: afterRelease,
};

describe.each(Object.keys(answers) as (keyof typeof answers)[])('withdraw.%s', (name) => {
  const { to, data } = answers[name];
  const can: readonly number[] = withdrawEventStates[name];
  // A payment that nobody expected is not lost.
  const alarming = name === 'paid' ? ['alarm'] : [];
  const event = (no: string): SentEvent => ({ type: `withdraw.${name}`, data: { no, ...data } });

  test.each(allStates.filter((state) => can.includes(state)))('is applied in state %i', async (state) => {
    const row = await withdrawalIn(state);
    expect(await fetchBalances(server, row.account)).toEqual(moneyIn[state]);
    await apply(server, event(row.no));
    const after = await findWithdraw(server, admin, row.no);
    expect(after).toMatchObject({ state: to, ...data });
    expect(await fetchBalances(server, row.account)).toEqual(moneyIn[to]);
  });

  test.each(allStates.filter((state) => !can.includes(state) && !(name === 'paid' && state === 9)))(
    'is rejected in state %i',
    async (state) => {
      const row = await withdrawalIn(state);
      expect(await expectRejection(server, event(row.no), alarming)).toBe('state');
      expect(await fetchBalances(server, row.account)).toEqual(moneyIn[state]);
    },
  );

  test('is rejected for an unknown number', async () => {
    expect(await expectRejection(server, event(unique('W')), alarming)).toBe('unknown: no');
  });
});

describe('ledger entries', () => {
  const entries = async (account: string) =>
    (await fetchEntries(server, account)).slice(1).map(({ bucket, type, amount }) => [bucket, type, amount]);
  const freezeEntries = [
    ['active', 9, '-100'],
    ['frozen', 9, '100'],
  ];

  test('a cancelled withdrawal is unfrozen', async () => {
    const row = await withdrawalIn(6);
    expect(await entries(row.account)).toEqual([...freezeEntries, ['frozen', 10, '-100'], ['active', 10, '100']]);
  });

  test('a paid withdrawal goes to custody, its fee to the fee account', async () => {
    const market = await makeMarket(server);
    const account = await makeUser(server);
    await recharge(server, account, '150', market);
    const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '1', market });
    await bringTo[2](row);
    const at = server.clock.now() - 3_000;
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' }, at });
    expect(await entries(account)).toEqual([...freezeEntries, ['frozen', 2, '-99'], ['frozen', 13, '-1']]);
    expect((await fetchEntries(server, account)).at(-1)).toMatchObject({ createdAt: at, refType: 'withdraw' });
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('-51');
    expect(await fetchHouseBalance(server, 'fee', market)).toBe('1');
  });

  test('a withdrawal without a fee has no fee entry', async () => {
    const account = await makeUser(server, { amount: '150' });
    const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '0' });
    await bringTo[4](row);
    expect(await entries(account)).toEqual([...freezeEntries, ['frozen', 2, '-100']]);
  });
});

describe('withdraw.paid', () => {
  test('raises an alarm in state 9, and changes neither the row nor the money', async () => {
    const row = await withdrawalIn(9);
    const entries = await fetchEntries(server, row.account);
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xtwice' } });
    expect(await findWithdraw(server, admin, row.no)).toEqual(row);
    expect(await fetchEntries(server, row.account)).toEqual(entries);
    expect(await alarmsOf(row.id)).toEqual([
      { kind: 'withdraw.paidAfterRefund', detail: { txHash: '0xtwice', amount: '99', market: 'USDT' } },
    ]);
  });

  test('raises the alarm if the refund commits concurrently', async () => {
    const row = await withdrawalIn(7);
    const racing = () =>
      inTransaction(server.owner, async (db) => {
        await sql`update withdraw set state = 9 where id = ${row.id}`.execute(db);
        const answer = send(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xlate' } });
        await waitUntilBlocked(server);
        return { answer };
      });
    expect(await (await racing()).answer).toMatchObject([{ result: 'applied' }]);
    expect(await alarmsOf(row.id)).toHaveLength(1);
    // The overwritten state has no ledger entries, so it is restored before the ledger check.
    await server.query(sql`update withdraw set state = 7 where id = ${row.id}`);
  });

  test('needs the hash of the transaction', async () => {
    const row = await withdrawalIn(2);
    expect(await expectRejection(server, { type: 'withdraw.paid', data: { no: row.no } })).toBe('invalid: txHash');
  });

  test('pays once when ten arrive at once', async () => {
    const row = await withdrawalIn(2);
    const paid = { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' } };
    const all = (await Promise.all(Array.from({ length: 10 }, () => send(server, paid)))).flat();
    expect(all.filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(all.filter(({ reason }) => reason === 'state')).toHaveLength(9);
    expect(await fetchBalances(server, row.account)).toEqual(afterPayout);
  });

  test.each(['cancelled', 'paid', 'failed'])('a pending approval is closed by withdraw.%s', async (name) => {
    const row = await withdrawalIn(name === 'cancelled' ? 1 : name === 'paid' ? 7 : 8);
    if (name !== 'cancelled') {
      const [action, input] = name === 'paid' ? ['refund', {}] : ['resolve', { paid: true, txHash: '0x0' }];
      const requestedAction = await call(
        server,
        'POST',
        `withdraw/${action}`,
        { id: row.id, reason: 'why', ...input },
        { token: admin },
      );
      expect(requestedAction.code).toBe(202);
    }
    const data = name === 'paid' ? { no: row.no, txHash: '0x1' } : { no: row.no };
    await apply(server, { type: `withdraw.${name}`, data });
    const approvals = await server.query(
      sql`select state from approval where target_type = 'withdraw' and target_id = ${row.id}`,
    );
    expect(approvals).toEqual([{ state: 3 }]);
  });
});

describe('withdraw.requested', () => {
  test('waits for review, with the whole amount frozen', async () => {
    const account = await makeUser(server, { amount: '150' });
    const data = fieldsOf(account, { memo: '4711', amount: '100.50', fee: '1.5' });
    const at = server.clock.now() - 30_000;
    await apply(server, { ...requested(data), at });
    expect(await findWithdraw(server, admin, data.no)).toMatchObject({
      account,
      agent: 'admin',
      marketName: 'USDT',
      ...onTron('address'),
      memo: '4711',
      amount: '100.5',
      fee: '1.5',
      received: '99',
      valuation: '100.5',
      state: 0,
      attempt: 0,
      txHash: '',
      reason: '',
      createdAt: at,
    });
    expect(await fetchBalances(server, account)).toEqual({ 'USDT 1 active': '49.5', 'USDT 1 frozen': '100.5' });
    expect((await fetchEntries(server, account)).at(-1)).toMatchObject({ type: 9, createdAt: at, refType: 'withdraw' });
  });

  test('has no valuation while its coin has no price', async () => {
    const account = await makeUser(server);
    const market = await makeMarket(server);
    await recharge(server, account, '10', market);
    const data = fieldsOf(account, { market, amount: '10' });
    await apply(server, requested(data));
    expect(await findWithdraw(server, admin, data.no)).toMatchObject({ valuation: null });
  });

  test('is rejected for an unknown user or market', async () => {
    const account = await makeUser(server, { amount: '150' });
    expect(await expectRejection(server, requested(fieldsOf('nobody')))).toBe('unknown: account');
    expect(await expectRejection(server, requested(fieldsOf(account, { market: 'NONE' })))).toBe('unknown: market');
  });

  test('is rejected for a frozen user', async () => {
    const account = await makeUser(server, { amount: '150' });
    await setUserState(server, account, 0);
    expect(await expectRejection(server, requested(fieldsOf(account)))).toBe('frozen');
  });

  test('is rejected where withdrawals are off, the market is not listed, or the network is off', async () => {
    const account = await makeUser(server);
    const networks = [
      { network: 'ON', recharge: 1, withdraw: 1 },
      { network: 'OFF', recharge: 1, withdraw: 0 },
    ];
    const closed = [{ withdrawState: 0 }, { state: 0 }, { state: 2 }];
    for (const options of closed) {
      const market = await makeMarket(server, options);
      await recharge(server, account, '150', market);
      expect(await expectRejection(server, requested(fieldsOf(account, { market })))).toBe('closed');
    }
    const market = await makeMarket(server, { networks });
    await recharge(server, account, '150', market, 'ON');
    const data = fieldsOf(account, { market, amount: '10' });
    for (const network of ['OFF', 'off', 'O-F F', 'not listed', 'ERC20'])
      expect(await expectRejection(server, requested({ ...data, network }))).toBe('closed');
    await apply(server, ...['ON', 'on'].map((network) => requested({ ...data, no: unique('W'), network })));
  });

  test('over any network where the coin lists none, and by any name of a listed one', async () => {
    const account = await makeUser(server);
    const networks = [{ network: 'Ethereum', recharge: 1, withdraw: 1 }];
    for (const [market, network] of [
      [await makeMarket(server), 'any'],
      [await makeMarket(server, { networks }), 'erc-20'],
    ] as const) {
      await recharge(server, account, '150', market, network);
      await apply(server, requested(fieldsOf(account, { market, amount: '10', network })));
    }
  });

  test('is rejected below the minimum and above the maximum of its market', async () => {
    const account = await makeUser(server);
    const market = await makeMarket(server, { withdrawMin: '10', withdrawMax: '20' });
    await recharge(server, account, '150', market);
    const data = (amount: string): Fields => fieldsOf(account, { market, amount });
    expect(await expectRejection(server, requested(data('9.999999999999999999')))).toBe('below min');
    expect(await expectRejection(server, requested(data('20.000000000000000001')))).toBe('above max');
    await apply(server, requested(data('10')), requested(data('20')));
  });

  test('is rejected for a fee that is not below the amount', async () => {
    const account = await makeUser(server, { amount: '150' });
    expect(await expectRejection(server, requested(fieldsOf(account, { fee: '100' })))).toBe('fee');
    expect(await expectRejection(server, requested(fieldsOf(account, { fee: '100.1' })))).toBe('fee');
    await apply(server, requested(fieldsOf(account, { fee: '99.999999999999999999' })));
  });

  test('may take the whole balance of the fund account, and not more', async () => {
    const account = await makeUser(server, { amount: '150' });
    expect(await expectRejection(server, requested(fieldsOf(account, { amount: '150.1' })))).toBe('insufficient');
    await apply(server, requested(fieldsOf(account, { amount: '150' })));
    expect(await expectRejection(server, requested(fieldsOf(account, { amount: '2' })))).toBe('insufficient');
    const elsewhere = await makeUser(server);
    await apply(server, {
      type: 'balance.imported',
      data: { account: elsewhere, market: 'USDT', platform: 2, active: '500' },
    });
    expect(await expectRejection(server, requested(fieldsOf(elsewhere)))).toBe('insufficient');
  });
});

describe('withdraw.imported', () => {
  const imported = (data: object): SentEvent => ({ type: 'withdraw.imported', data });

  test.each([4, 5, 6, 9])('in state %i stores the decision and moves no money', async (state) => {
    const account = await makeUser(server);
    const data = {
      ...fieldsOf(account),
      state,
      txHash: '0xold',
      reason: 'as it was',
      by: 'former',
      reviewedAt: 1_700_000_000_000,
      secondBy: 'other',
    };
    const at = 1_690_000_000_000;
    await apply(server, { ...imported(data), at });
    expect(await findWithdraw(server, admin, data.no)).toMatchObject({
      state,
      amount: '100',
      received: '99',
      txHash: '0xold',
      reason: 'as it was',
      by: 'former',
      reviewedAt: 1_700_000_000_000,
      secondBy: 'other',
      createdAt: at,
      attempt: 0,
    });
    expect(await fetchEntries(server, account)).toEqual([]);
  });

  test('with booked: true moves exactly its amount, to the last of 18 decimals', async () => {
    const amount = '123456789.000000000000000001';
    const account = await makeUser(server);
    await apply(server, { type: 'balance.imported', data: { account, market: 'USDT', platform: 1, active: amount } });
    await apply(server, imported({ ...fieldsOf(account, { amount, fee: '1' }), state: 4, booked: true }));
    expect(await fetchBalances(server, account)).toEqual({});
  });

  test.each([0, 1, 2, 3, 7, 8, 10])('is rejected in state %i, which is not final', async (state) => {
    const account = await makeUser(server);
    expect(await expectRejection(server, imported({ ...fieldsOf(account), state }))).toBe('invalid: state');
  });

  test('is rejected for an unknown user or market, a used number, and a fee that is not below the amount', async () => {
    const account = await makeUser(server);
    const data = { ...fieldsOf(account), state: 4 };
    expect(await expectRejection(server, imported({ ...data, account: 'nobody' }))).toBe('unknown: account');
    expect(await expectRejection(server, imported({ ...data, market: 'NONE' }))).toBe('unknown: market');
    expect(await expectRejection(server, imported({ ...data, fee: '100' }))).toBe('fee');
    await apply(server, imported(data));
    expect(await expectRejection(server, imported(data))).toBe('exists');
  });

  test('is rejected once the installation is live', async () => {
    const account = await makeUser(server);
    await runWhileLive(server, async () => {
      expect(await expectRejection(server, imported({ ...fieldsOf(account), state: 4 }))).toBe('live');
    });
  });
});

const alarmsOf = (id: number) =>
  server.query(sql`select kind, detail from alarm where ref_type = 'withdraw' and ref_id = ${id}`);
