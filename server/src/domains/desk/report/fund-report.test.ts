// @module-tag soak
import { FLOW_KINDS, flowKinds } from '@hengtai/contract/desk/report/calls';
import type { FundDayRow, FundDaySum, CurrentFunds } from '@hengtai/contract/desk/report/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { userEntryLabels } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { onTron, tronAddress } from '../../../../test/address.ts';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { apply, call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { changeReportZone } from '../../../books/lists/report-zone.ts';
import { checkFundDays, compactFundDays } from './fund-day.store.ts';
import { fetchBalancesAt } from '../../../books/ledger/balance.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let admin: string;

const DAY = 86_400_000;
const HOUR = 3_600_000;

beforeAll(async () => {
  admin = await login(server);
});

type Report = Page<FundDayRow, FundDaySum>;
const fetchReport = (input: object, token = admin) =>
  call<Report>(server, 'GET', 'report/fund/list', { size: 200, sort: 'id', ...input }, { token });
const fetchRows = async (input: object, token = admin) => (await fetchReport(input, token)).data.list;
const fetchNow = async (input: object = {}, token = admin) =>
  (await call<CurrentFunds>(server, 'GET', 'report/fund/now', input, { token })).data;

const sum = (...amounts: string[]): string =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();
const fetchLastRow = async (agent: string, marketId = 1) => (await fetchRows({ agent, marketId })).at(-1);

test('every entry type of users belongs to exactly one kind of flow', () => {
  const types = FLOW_KINDS.flatMap((kind): number[] => [...flowKinds[kind].types]);
  expect(types.filter((type) => type < 100).toSorted((a, b) => a - b)).toEqual(
    Object.keys(userEntryLabels).map(Number),
  );
});

describe('report/fund/list', () => {
  test('shows inflow, outflow and balance by kind, without freezes', async () => {
    const agent = await makeOperator(server, admin);
    const account = await makeUser(server, { agent: agent.account, amount: '500' });
    const paidWithdraw = await makeWithdraw(server, admin, account, { amount: '100.5', fee: '0.5' });
    const rejectedWithdraw = await makeWithdraw(server, admin, account, { amount: '30' });
    await call(server, 'POST', 'withdraw/reject', { id: rejectedWithdraw.id, reason: 'no' }, { token: admin });
    await call(server, 'POST', 'withdraw/pass', { id: paidWithdraw.id }, { token: admin });
    await apply(server, { type: 'withdraw.paid', data: { no: paidWithdraw.no, txHash: 'hash' } });
    const { id } = await findUser(server, admin, account);
    const adjust = { userId: id, marketId: 1, platform: 1, amount: '7', state: 0, reason: 'because' };
    await call(server, 'POST', 'asset/active/add', adjust, { token: admin });
    await call(server, 'POST', 'asset/frozen/add', { ...adjust, amount: '3' }, { token: admin });
    const expected = {
      opening: '0',
      in: '507',
      out: '100.5',
      closing: '406.5',
      rechargeIn: '500',
      withdrawOut: '100',
      feeOut: '0.5',
      adjustIn: '7',
      adjustOut: '0',
      balanced: 1,
      part: 0,
      agent: agent.account,
    };
    expect(await fetchLastRow(agent.account)).toMatchObject(expected);
    const { data } = await fetchReport({ agent: agent.account });
    expect(data.summary).toMatchObject([{ marketName: 'USDT', in: '507', out: '100.5', withdrawOut: '100' }]);
    // The report is the same after compaction.
    await compactFundDays(server.app);
    expect(await fetchLastRow(agent.account)).toMatchObject(expected);
    expect((await fetchNow({ agent: agent.account })).coins).toMatchObject([
      { marketName: 'USDT', closing: '406.5', ledger: '406.5', same: true },
    ]);
  });

  test('a user moved to another agent takes its balance along, not its past flows', async () => {
    const [from, to] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    const account = await makeUser(server, { agent: from.account, amount: '250' });
    const { id } = await findUser(server, admin, account);
    await call(server, 'POST', 'user/agent/change', { userId: id, agent: to.account }, { token: admin });
    await apply(server, {
      type: 'recharge.credited',
      data: {
        no: unique('R'),
        account,
        market: 'USDT',
        ...onTron('any'),
        amount: '1',
        confirmations: 20,
        source: 1,
        txHash: unique('h'),
      },
    });
    expect(await fetchLastRow(from.account)).toMatchObject({
      rechargeIn: '250',
      moveOut: '250',
      closing: '0',
      balanced: 1,
    });
    expect(await fetchLastRow(to.account)).toMatchObject({
      rechargeIn: '1',
      moveIn: '250',
      closing: '251',
      balanced: 1,
    });
    expect(await checkFundDays(server.owner)).toEqual([]);
  });

  test('an agent sees its own tree, split by children and own users, and no other tree', async () => {
    const top = await makeOperator(server, admin);
    const child = await makeOperator(server, admin, { parent: top.account });
    const below = await makeOperator(server, admin, { parent: child.account });
    for (const [agent, amount] of [
      [top, '1'],
      [child, '20'],
      [below, '300'],
    ] as const)
      await makeUser(server, { agent: agent.account, amount });
    expect((await fetchRows({}, top.token)).map(({ agent, closing }) => [agent, closing])).toEqual([
      [top.account, '321'],
    ]);
    const parts = (await fetchRows({ split: 1 }, top.token)).map(
      ({ agent, part, closing }) => `${agent} ${part} ${closing}`,
    );
    expect(parts.toSorted()).toEqual([`${child.account} 1 320`, `${top.account} 2 1`].toSorted());
    expect(
      (await fetchRows({ agent: child.account, split: 1 }, top.token)).map(({ closing }) => closing).toSorted(),
    ).toEqual(['20', '300']);
    expect(await fetchRows({ agent: top.account }, child.token)).toEqual([]);
    expect((await fetchNow({ agent: top.account }, child.token)).coins).toEqual([]);
  });

  test('the money of a deleted agent counts for its successor', async () => {
    const [successor, deleted] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    await makeUser(server, { agent: deleted.account, amount: '40' });
    await server.query(sql`update config set state = 0 where key = 'policy.agent.del'`);
    await call(
      server,
      'POST',
      'agent/del',
      { deleteId: deleted.id, replaceAccount: successor.account },
      { token: admin },
    );
    expect(await fetchRows({ agent: deleted.account })).toEqual([]);
    expect(await fetchLastRow(successor.account)).toMatchObject({ closing: '40', balanced: 1 });
    expect((await fetchRows({ agent: successor.account, split: 1 })).at(-1)).toMatchObject({
      agent: successor.account,
      part: 2,
      closing: '40',
    });
  });

  test('a late entry counts on its own day and in the opening balances of the days after', async () => {
    const agent = await makeOperator(server, admin);
    const account = await makeUser(server, { agent: agent.account, amount: '10' });
    const at = server.clock.now() - 3 * DAY;
    await apply(server, {
      type: 'recharge.credited',
      at,
      data: {
        no: unique('R'),
        account,
        market: 'USDT',
        ...onTron('any'),
        amount: '5',
        confirmations: 20,
        source: 1,
        txHash: unique('h'),
      },
    });
    const found = await fetchRows({ agent: agent.account });
    expect(found.map(({ opening, in: inflow, closing }) => [opening, inflow, closing])).toEqual([
      ['0', '5', '5'],
      ['5', '0', '5'],
      ['5', '0', '5'],
      ['5', '10', '15'],
    ]);
    // Only the days that the period touches are listed.
    expect(await fetchRows({ agent: agent.account, from: at, to: at })).toMatchObject([{ closing: '5' }]);
    expect(await fetchRows({ agent: agent.account, from: at - 9 * DAY, to: at - 8 * DAY })).toEqual([]);
  });

  test('another report zone lengthens one day and leaves the days before as they are', async () => {
    const agent = await makeOperator(server, admin);
    const account = await makeUser(server, { agent: agent.account });
    // The report ends with the day of this deposit.
    await makeUser(server, { amount: '1' });
    const midnight = (await fetchRows({ agent: '' })).at(-1)?.createdAt ?? 0;
    const pay = (amount: string, at: number) =>
      apply(server, {
        type: 'recharge.credited',
        at,
        data: {
          no: unique('R'),
          account,
          market: 'USDT',
          ...onTron('any'),
          amount,
          confirmations: 20,
          source: 1,
          txHash: unique('h'),
        },
      });
    const days = async () =>
      (await fetchRows({ agent: agent.account, from: midnight - DAY })).map((row) => [
        row.in,
        row.hours,
        row.createdAt - midnight,
      ]);
    await pay('1', midnight - 1);
    await pay('2', midnight);
    await compactFundDays(server.app);
    // Kolkata is 2.5 hours behind Shanghai. Some of what follows is compacted before the change, some after it.
    await changeReportZone(server.owner, 'Asia/Kolkata', server.clock.now());
    const nextMidnight = midnight + DAY + 2.5 * HOUR;
    server.clock.move(nextMidnight - server.clock.now());
    await pay('4', nextMidnight - 1);
    await compactFundDays(server.app);
    await pay('8', nextMidnight);
    admin = await login(server);
    const expected = [
      ['1', 24, -DAY],
      ['6', 26.5, 0],
      ['8', 24, DAY + 2.5 * HOUR],
    ];
    expect(await days()).toEqual(expected);
    await compactFundDays(server.app);
    expect(await days()).toEqual(expected);
    expect(await checkFundDays(server.owner)).toEqual([]);
    expect((await fetchNow()).zone).toBe('Asia/Kolkata');
  });

  test('refuses too many days; days before the first data do not count', async () => {
    const allTime = { from: 1, to: server.clock.now() };
    expect(await fetchReport(allTime)).toMatchObject({ code: 200 });
    const account = await makeUser(server);
    const no = unique('R');
    const deposit = {
      no,
      account,
      market: 'USDT',
      ...onTron('any'),
      amount: '1',
      confirmations: 20,
      source: 1,
    };
    await apply(server, {
      type: 'recharge.credited',
      at: server.clock.now() - 500 * DAY,
      data: { ...deposit, txHash: no },
    });
    expect(await fetchReport(allTime)).toMatchObject({ code: 422, data: [{ field: 'from' }] });
    await compactFundDays(server.app);
    expect(await fetchReport(allTime)).toMatchObject({ code: 422 });
    expect(await fetchReport({ ...allTime, to: server.clock.now() - 499 * DAY })).toMatchObject({
      code: 200,
      data: { total: 2 },
    });
  });
});

type Step =
  | { kind: 'pay'; user: number; amount: number; ago: number; coin: 'USDT' | 'BTC' }
  | { kind: 'send'; user: number; to: number; amount: number; ago: number }
  | { kind: 'hold'; user: number; amount: number }
  | { kind: 'take'; user: number; amount: number }
  | { kind: 'move'; user: number; agent: number }
  | { kind: 'compact' };

const USERS = 3;
const user = fc.nat(USERS - 1);
const amount = fc.integer({ min: 1, max: 10 ** 9 });
const ago = fc.integer({ min: 0, max: 6 * 24 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      user,
      amount,
      ago,
      coin: fc.constantFrom('USDT' as const, 'BTC' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), user, to: user, amount, ago }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hold' as const), user, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), user, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), user, agent: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
);

/** An amount with 18 decimals. */
const amountOf = (size: number): string => new Decimal(size).times('0.000000001000000001').toFixed();

test('random histories: rows balance, days are continuous, parts sum to the whole, and the end equals the ledger', async () => {
  await server.query(
    sql`update config set state = 0 where key = 'policy.asset.active.add' or key like 'policy.asset%'`,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const top = await makeOperator(server, admin);
      const agents = [
        top,
        await makeOperator(server, admin, { parent: top.account }),
        await makeOperator(server, admin, { parent: top.account }),
      ];
      const users: string[] = [];
      for (let index = 0; index < USERS; index += 1)
        users.push(await makeUser(server, { agent: agents[index]?.account ?? '' }));
      for (const one of steps) await runStep(one, users, agents);
      await checkReport(top, users);
    }),
    { numRuns: sized({ full: 12, long: 200 }) },
  );
  expect(await checkFundDays(server.owner)).toEqual([]);
}, 240_000);

/** Runs a step. Some are refused, for example for an insufficient balance, and then change nothing. */
async function runStep(one: Step, users: readonly string[], agents: readonly TestOperator[]): Promise<void> {
  const at = server.clock.now() - ('ago' in one ? one.ago * HOUR : 0);
  if (one.kind === 'compact') return void (await compactFundDays(server.app));
  const account = users[one.user] ?? '';
  const { id } = await findUser(server, admin, account);
  if (one.kind === 'move') {
    await call(
      server,
      'POST',
      'user/agent/change',
      { userId: id, agent: agents[one.agent]?.account },
      { token: admin },
    );
    return;
  }
  const size = amountOf(one.amount);
  if (one.kind === 'hold' || one.kind === 'take') {
    const path = one.kind === 'hold' ? 'asset/frozen/add' : 'asset/active/sub';
    await call(
      server,
      'POST',
      path,
      { userId: id, marketId: 1, platform: 1, amount: size, state: 0, reason: 'because' },
      { token: admin },
    );
    return;
  }
  if (one.kind === 'pay') {
    await send(server, {
      type: 'recharge.credited',
      at,
      data: {
        no: unique('R'),
        account,
        market: one.coin,
        network: one.coin === 'USDT' ? 'TRC20' : 'BTC',
        address: tronAddress('any'),
        amount: size,
        confirmations: 20,
        source: 1,
        txHash: unique('h'),
      },
    });
    return;
  }
  await send(server, {
    type: 'transfer.made',
    at,
    data: {
      no: unique('T'),
      account,
      toAccount: users[one.to],
      market: 'USDT',
      platform: 1,
      toPlatform: 2,
      amount: size,
    },
  });
}

const keyOf = (row: FundDayRow): string => `${row.day} ${row.marketId}`;
const AMOUNTS = [
  'opening',
  'in',
  'out',
  'closing',
  ...FLOW_KINDS.flatMap((kind) => [`${kind}In`, `${kind}Out`] as const),
] as const;

async function checkReport(top: TestOperator, users: readonly string[]): Promise<void> {
  const whole = await fetchRows({ agent: top.account });
  const parts = await fetchRows({ agent: top.account, split: 1 });
  for (const row of [...whole, ...parts]) {
    expect(sum(row.opening, row.in, `-${row.out}`)).toBe(sum(row.closing));
    expect(row.balanced).toBe(1);
    expect(sum(...FLOW_KINDS.map((kind) => row[`${kind}In`]))).toBe(sum(row.in));
    expect(sum(...FLOW_KINDS.map((kind) => row[`${kind}Out`]))).toBe(sum(row.out));
  }
  // Each opening balance equals the closing balance of the day before.
  const closings = new Map<string, string>();
  for (const row of [...whole, ...parts]) {
    const line = `${row.agentId} ${row.part} ${row.marketId}`;
    // The first row of a line opens with zero.
    expect(row.opening).toBe(closings.get(line) ?? '0');
    closings.set(line, row.closing);
  }
  for (const row of whole) {
    const own = parts.filter((part) => keyOf(part) === keyOf(row));
    for (const field of AMOUNTS)
      expect([field, sum(...own.map((part) => part[field]))]).toEqual([field, sum(row[field])]);
  }
  const { coins } = await fetchNow({ agent: top.account });
  expect(coins.filter(({ same }) => !same)).toEqual([]);
  for (const { marketId, ledger } of coins) {
    const end = whole.filter((row) => row.marketId === marketId).at(-1);
    expect(end?.closing).toBe(ledger);
  }
  // Each closing balance equals the sum of the users' balances at the end of the day, computed from the entries.
  const ids = await Promise.all(users.map(async (account) => (await findUser(server, admin, account)).id));
  for (const row of whole.filter((one) => one.marketId === 1)) {
    const next = whole.find((one) => one.marketId === 1 && one.createdAt > row.createdAt)?.createdAt;
    const lists = await Promise.all(
      ids.map((id) => fetchBalancesAt(server.owner, id, (next ?? server.clock.now() + 1) - 1)),
    );
    const balances = lists
      .flat()
      .filter(({ marketId }) => marketId === 1)
      .flatMap(({ active, frozen }) => [active, frozen]);
    expect([row.day, sum(...balances)]).toEqual([row.day, sum(row.closing)]);
  }
}
