import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freezeClock, fetchBalances } from '../../../test/book.ts';
import { makeUser, makeWithdraw } from '../../../test/factories.ts';
import { addSignal, followClosed, findFollow, followSignal, makeFollower } from '../../../test/follow.ts';
import { openPosition } from '../../../test/future.ts';
import { apply, call, login, provideServer } from '../../../test/server.ts';
import { inTransaction } from '../../database/connect.ts';
import { watchHolds } from '../../domains/house/alarm/holds.jobs.ts';
import { checkBook } from './check.ts';
import { correctDust } from '../../domains/funds/asset/hold-correct.store.ts';
import { describeDiscrepancy, findHoldDiscrepancies } from './hold-check.ts';
import { type HoldOwner, freezeLegs, unfreezeLeg } from './hold.ts';
import { post } from './post.ts';
import { runHengtai } from '../../../test/command-line.ts';

const server = provideServer({ jobs: false });
let admin: string;
let signal: SignalRow;

beforeAll(async () => {
  admin = await login(server);
  signal = await addSignal(server, admin);
});
afterEach(async () => expect(await checkBook(server.owner)).toEqual([]));

const findDiscrepancies = () => findHoldDiscrepancies(server.owner);
const DUST = '0.000000000000000004';

/** Ends a follow with a rounding error: leaves `dust` frozen, or with `thaw` releases too much by it. */
async function endWithDust(dust: string, thaw = false) {
  const account = await makeFollower(server);
  const no = await followSignal(server, account, signal);
  await openPosition(server, account, { margin: '10' });
  await apply(server, followClosed(no, '-1'));
  const { id, userId } = await findFollow(server, admin, no);
  const [user] = await server.query(sql<HoldOwner['user']>`
    select id, agent_id as "agentId" from users where id = ${userId}`);
  if (!user) throw new Error('no user');
  const owner: HoldOwner = { user, marketId: 1, platform: 3 };
  const move = (reverse: boolean) =>
    inTransaction(server.app.system, (db) =>
      post(
        db,
        { refType: 'follow', refId: id, at: 0, now: server.clock.now() },
        reverse ? [unfreezeLeg(owner, dust)] : freezeLegs(owner, dust),
      ),
    );
  await move(thaw);
  return { account, no, id, userId, undo: () => move(!thaw) };
}

const runCli = (...args: string[]) => runHengtai(server, ['verify', 'holds', ...args]);

describe('findHoldDiscrepancies', () => {
  test('reports an ended record that left money frozen', async () => {
    const { account, no, id, userId, undo } = await endWithDust(DUST);
    const found = await findDiscrepancies();
    expect(found).toMatchObject([
      { kind: 'account', userId, account, marketName: 'USDT', platform: 3, refType: 'follow', refId: id, no },
    ]);
    expect(found[0]).toMatchObject({ frozen: `10${DUST.slice(1)}`, owned: '10', due: '0', actual: DUST });
    expect(found.map(describeDiscrepancy)).toEqual([
      `user ${userId} (${account}) USDT account 3: frozen 10${DUST.slice(1)}, open records hold 10: ` +
        `follow ${id} (${no}) should hold 0, the ledger froze ${DUST} for it`,
    ]);
    await undo();
  });

  test('reports a record that differs from its hold', async () => {
    const account = await makeUser(server, { amount: '500' });
    const { id, no } = await makeWithdraw(server, admin, account);
    const change = (released: string) =>
      server.query(sql`update hold set released = ${released} where ref_type = 'withdraw' and ref_id = ${id}`);
    await change('0.000000000000000001');
    expect(await findDiscrepancies()).toMatchObject([
      { kind: 'hold', account, refType: 'withdraw', refId: id, no, due: '100', actual: '99.999999999999999999' },
    ]);
    await change('0');
  });

  test('reports the totals of the account with a hold that differs', async () => {
    const account = await makeUser(server, { amount: '500' });
    const { id } = await makeWithdraw(server, admin, account);
    await makeWithdraw(server, admin, account);
    const change = async (released: string, by: string) => {
      await server.query(sql`update hold set released = ${released} where ref_type = 'withdraw' and ref_id = ${id}`);
      await server.query(sql`update account a set balance = a.balance + ${by}::numeric from users u
        where u.id = a.user_id and u.account = ${account} and a.bucket = 'frozen'`);
    };
    await change('1', '0.5');
    const found = (await findDiscrepancies()).filter(({ kind }) => kind === 'hold');
    expect(found).toMatchObject([{ refId: id, frozen: '200.5', owned: '200', due: '100', actual: '99' }]);
    await change('0', '-0.5');
  });

  test('reports a frozen balance that no record explains', async () => {
    const account = await makeFollower(server);
    await followSignal(server, account, signal);
    const change = (by: string) =>
      server.query(sql`update account a set balance = a.balance + ${by}::numeric from users u
        where u.id = a.user_id and u.account = ${account} and a.bucket = 'frozen'`);
    await change('0.5');
    expect(await findDiscrepancies()).toMatchObject([
      { kind: 'account', account, frozen: '100.5', owned: '100', refType: null, no: null },
    ]);
    await change('-0.5');
  });

  test('counts manual freezes by operators as owned', async () => {
    const account = await makeUser(server, { amount: '50' });
    const [user] = await server.query(sql<{ id: number }>`select id from users where account = ${account}`);
    const input = { userId: user?.id, marketId: 1, platform: 1, state: 0, reason: '账户异常核查' };
    const freeze = (path: string, amount: string) => call(server, 'POST', path, { ...input, amount }, { token: admin });
    expect((await freeze('asset/frozen/add', '30')).code).toBe(200);
    expect((await freeze('asset/frozen/sub', '10')).code).toBe(200);
    expect(await fetchBalances(server, account)).toMatchObject({ 'USDT 1 frozen': '20' });
    expect(await findDiscrepancies()).toEqual([]);
    await server.query(sql`update hold set released = 11 where ref_type = 'asset.frozen' and ref_id = ${user?.id}`);
    expect(await findDiscrepancies()).toMatchObject([
      { kind: 'hold', refType: 'asset.frozen', due: '20', actual: '19' },
    ]);
    await server.query(sql`update hold set released = 10 where ref_type = 'asset.frozen' and ref_id = ${user?.id}`);
  });
});

describe('correctDust', () => {
  test('returns what it released', async () => {
    const { account } = await endWithDust(DUST);
    const corrections = await correctDust(server.owner, await findDiscrepancies(), server.clock.now());
    expect(corrections).toMatchObject([{ discrepancy: { account }, released: DUST, problem: null }]);
    expect(await fetchBalances(server, account)).toEqual({ 'USDT 3 active': '989', 'USDT 3 frozen': '10' });
    expect(await findDiscrepancies()).toEqual([]);
  });
});

describe('hengtai verify holds', () => {
  test('exits with 1 and names the record; --release-dust corrects in both directions and writes audit rows', async () => {
    expect(await runCli()).toMatchObject({ code: 0, text: expect.stringContaining('Every frozen balance') });
    const left = await endWithDust(DUST);
    const taken = await endWithDust(DUST, true);
    const checked = await runCli();
    expect(checked).toMatchObject({ code: 1, text: expect.stringContaining(left.no) });
    expect(checked.text).toContain(taken.no);
    expect(await runCli('--release-dust')).toMatchObject({ code: 0 });
    for (const { account } of [left, taken]) {
      expect(await fetchBalances(server, account)).toEqual({ 'USDT 3 active': '989', 'USDT 3 frozen': '10' });
    }
    const auditRows = await server.query(sql<{ userId: number; after: { amount: string; refId: number } }>`
      select user_id as "userId", after from audit where action = 'holds.correct' and user_agent = 'host' and user_id in (${left.userId}, ${taken.userId}) order by id`);
    expect(auditRows.map(({ userId, after }) => [userId, after.refId, after.amount])).toEqual([
      [left.userId, left.id, DUST],
      [taken.userId, taken.id, `-${DUST}`],
    ]);
    const commands = await server.query(sql<{ account: string }>`
      select data ->> 'account' as account from command where type = 'balance.changed' order by id desc limit 2`);
    expect(commands.map(({ account }) => account).toSorted()).toEqual([left.account, taken.account].toSorted());
  });

  test('does not correct larger differences, and rejects unknown arguments', async () => {
    const { account, no, undo } = await endWithDust('0.01');
    const { code, text } = await runCli('--release-dust');
    expect(code).toBe(1);
    expect(text).toContain(no);
    expect(await fetchBalances(server, account)).toMatchObject({ 'USDT 3 frozen': '10.01' });
    await undo();
    expect(await runCli('--fix')).toMatchObject({ code: 2, text: expect.stringContaining('--fix') });
  });
});

test('the job raises one alarm per discrepancy, at most once an hour, and none while one is open', async () => {
  const clock = freezeClock(server);
  const alarms = () =>
    server.query(sql<{ refType: string; refId: number; userId: number; detail: object }>`
      select ref_type as "refType", ref_id as "refId", user_id as "userId", detail from alarm
      where kind = 'holds.differ' order by id`);
  await watchHolds(server.app);
  expect(await alarms()).toEqual([]);
  const { account, no, id, userId, undo } = await endWithDust(DUST);
  await watchHolds(server.app);
  expect(await alarms()).toEqual([]);
  const runNextHour = async () => {
    clock.move(3_600_001);
    await watchHolds(server.app);
  };
  await runNextHour();
  const alarm = {
    refType: 'follow',
    refId: id,
    userId,
    detail: { account, market: 'USDT', platform: 3, amount: DUST, frozen: `10${DUST.slice(1)}`, held: '10', no },
  };
  expect(await alarms()).toEqual([alarm]);
  await runNextHour();
  expect(await alarms()).toHaveLength(1);
  await server.query(sql`update alarm set closed_at = 1, closed_by = 'admin' where kind = 'holds.differ'`);
  await runNextHour();
  expect(await alarms()).toEqual([alarm, alarm]);
  await undo();
  clock.release();
});
