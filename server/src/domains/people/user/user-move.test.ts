import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOf } from '../../../../test/address.ts';
import { runWhileLive } from '../../../../test/book.ts';
import {
  type TestOperator,
  findUser,
  findWithdraw,
  makeOperator,
  makeUser,
  makeWithdraw,
} from '../../../../test/factories.ts';
import { addSignal, followOpened as followed } from '../../../../test/follow.ts';
import { positionClosed, fundingPaid, positionOpened, positionPlaced } from '../../../../test/future.ts';
import { kycSubmission } from '../../../../test/identity.ts';
import { fetchAuditRows, runWhileLocked, setPolicy } from '../../../../test/inspect.ts';
import { fetchOwningAgents, findPlacesShowing, fetchTotals } from '../../../../test/places.ts';
import {
  type ApiResponse,
  type TestServer,
  apply,
  call,
  login,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { sealPending } from '../../../books/audit/sealer.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { post as transfer } from '../../../books/ledger/post.ts';
import { creditLegs } from '../../funds/recharge/recharge.rules.ts';
import { userTables } from '../../../modules.ts';
import { agentColumnsOf } from './user-move.store.ts';

const agentColumns = agentColumnsOf(userTables);

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

let server: TestServer;
let admin: string;
/** The agent before the move and the agent after it. */
let from: TestOperator;
let to: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  // The users have an open alarm about a reversal, which would hold their withdrawals.
  await server.query(sql`update config set state = 0 where key = 'withdraw.holdShortfall'`);
  admin = await login(server);
  from = await makeOperator(server, admin, { abilities: ALL });
  to = await makeOperator(server, admin, { abilities: ALL });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await sealPending(server.app);
  const { data } = await call(server, 'POST', 'audit/verify', {}, { token: admin });
  expect(data).toMatchObject({ ok: true, pending: 0 });
  await server.stop();
});

const post = <T = UserRow>(path: string, input: object, token = admin): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token });
const move = (userId: number, agent = to.account, token = admin) =>
  post('user/agent/change', { userId, agent, reason: '换代理' }, token);
const credited = (account: string, market = 'USDT', amount = '100') => ({
  type: 'recharge.credited',
  data: {
    no: unique('R'),
    account,
    market,
    network: networkOf(market),
    address: 'A',
    amount,
    confirmations: 1,
    source: 1,
  },
});

const placesSeenByBoth = async (word: string, userId: number) => ({
  from: await findPlacesShowing(server, from, word, userId),
  to: await findPlacesShowing(server, to, word, userId),
});
const allPlacesOf = (account: string): Record<string, string[]> =>
  Object.fromEntries(agentColumns.map(({ table, agent }) => [`${table}.${agent}`, [account]]));

/** Creates a user of `from` with a row in every table of users' rows. `word` is its account, unique in all texts. */
async function makeBusyUser(): Promise<{ user: UserRow; word: string; open: string; approval: ApprovalRow }> {
  const word = unique('Wanderer');
  await makeUser(server, { account: word, agent: from.account, amount: '100' });
  const reversed = credited(word, 'USDT', '1000');
  const stranger = await makeUser(server, { amount: '5' });
  const transfer = (account: string, toAccount: string) => ({
    type: 'transfer.made',
    data: { no: unique('T'), account, toAccount, market: 'USDT', platform: 1, toPlatform: 1, amount: '1' },
  });
  const order = { no: unique('O') };
  const [position, inParts] = [{ no: unique('P') }, { no: unique('P') }];
  await apply(
    server,
    reversed,
    transfer(word, stranger),
    transfer(stranger, word),
    { type: 'transfer.made', data: { ...transfer(word, word).data, toPlatform: 2 } },
    { type: 'transfer.made', data: { ...transfer(word, word).data, no: unique('T'), toPlatform: 3, amount: '2' } },
    {
      type: 'order.placed',
      data: { ...order, account: word, market: 'BTC', side: 1, type: 1, price: '1', amount: '1' },
    },
    { type: 'order.filled', data: { ...order, tradeNo: unique('F'), price: '1', amount: '0.5', fee: '0' } },
    positionPlaced(word, { ...position, amount: '2', margin: '0.5' }),
    positionOpened(position.no),
    positionClosed(position.no, '1'),
    fundingPaid(position.no, '-0.1'),
    positionPlaced(word, { ...inParts, amount: '2', margin: '0.5' }),
    { type: 'position.opened', data: { ...positionOpened(inParts.no).data, amount: '1' } },
    {
      type: 'balance.adjusted',
      data: {
        no: unique(word),
        batch: 'B',
        kind: 2,
        account: word,
        market: 'HTT',
        platform: 1,
        amount: '1',
        reason: word,
      },
    },
    followed(word, (await addSignal(server, admin, { minAmount: '0.1' })).no, '0.5'),
    { type: 'user.login', data: { account: word, ip: '203.0.113.7', device: word } },
    { type: 'user.credential', data: { account: word, kind: 'otp' } },
    { type: 'auth.submitted', data: kycSubmission(word) },
    { type: 'message.received', data: { no: unique('M'), account: word, text: word } },
    { type: 'transfer.made', data: { ...transfer(word, word).data, toPlatform: 4, amount: '10' } },
    {
      type: 'second.opened',
      data: { no: unique(word), account: word, market: 'BTC', side: 1, seconds: 300, amount: '10' },
    },
    { type: 'ieo.ordered', data: { no: unique(word), account: word, market: 'HTT', price: '0.1', amount: '10' } },
  );
  const user = await findUser(server, admin, word);
  const open = await makeWithdraw(server, admin, word, { amount: '10', address: `T-${word}` });
  const failed = await makeWithdraw(server, admin, word, { amount: '600', address: `T-${word}` });
  await post('withdraw/pass', { id: failed.id });
  await apply(server, { type: 'withdraw.failed', data: { no: failed.no } });
  const approval = await post<ApprovalRow>('withdraw/refund', { id: failed.id, reason: word });
  // The user no longer has the full amount, so the shortfall raises an alarm.
  await apply(server, { type: 'recharge.reversed', data: { no: reversed.data.no } });
  const [entry] = await server.query(sql<{ id: number }>`select max(id) as id from entry where user_id = ${user.id}`);
  await post('fund/record/state/check', { id: entry?.id });
  await post('user/note/add', { id: user.id, text: word });
  await post('user/token', { id: user.id });
  const adjustment = { userId: user.id, marketId: 1, platform: 1, amount: '1', state: 0, reason: word };
  await post('asset/active/add', adjustment);
  return { user, word, open: open.no, approval: approval.data };
}

test('the tables of users list every agent column of the database', async () => {
  const found = await server.query(sql<{ table: string; agent: string; user: string | null }>`
    select c.table_name::text as table, c.column_name::text as agent, u.column_name::text as user
    from information_schema.columns c
    left join information_schema.columns u on u.table_schema = c.table_schema and u.table_name = c.table_name
      and u.column_name = case when c.table_name = 'users' then 'id' else replace(c.column_name, 'agent_id', 'user_id') end
    where c.table_schema = 'public' and c.column_name like '%agent\\_id'`);
  const sort = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  const listed = agentColumns.map(({ table, agent, user }) => ({ table, agent, user }));
  // Audit rows are sealed; they are read by the current agent of their user.
  expect(sort(found)).toEqual(sort([...listed, { table: 'audit', agent: 'agent_id', user: 'user_id' }]));
});

describe('user/agent/change', () => {
  test('moves every row: the old agent sees nothing, the new agent everything, totals stay the same', async () => {
    const { user, word } = await makeBusyUser();
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(from.account));
    const [before, money] = [await placesSeenByBoth(word, user.id), await fetchTotals(server, admin)];
    expect(before.to).toEqual([]);
    expect(before.from.length).toBeGreaterThan(15);

    const answer = await move(user.id);
    expect(answer).toMatchObject({ code: 200, data: { id: user.id, agent: to.account, agentRoot: to.account } });
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
    expect(await placesSeenByBoth(word, user.id)).toEqual({ from: [], to: before.from });
    expect(await fetchTotals(server, admin)).toEqual(money);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      {
        action: 'user.agentChange',
        reason: '换代理',
        before: { agent: from.account },
        after: { agent: to.account, moved: { users: 1, withdraw: 2, internal_transfer: 8 } },
      },
    ]);
  });

  test('lets only the new agent decide open requests and approvals', async () => {
    const { user, open, approval } = await makeBusyUser();
    await move(user.id);
    const { id } = await findWithdraw(server, admin, open);
    expect(await post('withdraw/pass', { id }, from.token)).toMatchObject({ code: 404 });
    expect(await post('withdraw/pass', { id }, to.token)).toMatchObject({ code: 200 });
    expect(await post('approval/pass', { id: approval.id }, from.token)).toMatchObject({ code: 404 });
    expect(await post('approval/pass', { id: approval.id }, to.token)).toMatchObject({ code: 200, data: { state: 1 } });
  });

  test('hides the old agent in the audit log from operators who cannot see it', async () => {
    const { user, word } = await makeBusyUser();
    await move(user.id);
    const audit = async (token: string, input: object) =>
      (await call<{ list: object[]; total: number }>(server, 'GET', 'audit/list', input, { token })).data;
    const change = { account: word, action: 'user.agentChange' };
    const after = { agent: to.account };
    expect((await audit(admin, change)).list).toMatchObject([{ before: { agent: from.account }, after }]);
    expect((await audit(to.token, change)).list).toMatchObject([{ before: { agent: '--' }, after }]);
    const all = { account: word };
    expect((await audit(to.token, all)).total).toBe((await audit(admin, all)).total);
    expect((await audit(from.token, all)).total).toBe(0);
  });

  test('answers 404 unless the user and the new agent are in the scope of the operator', async () => {
    const below = await makeOperator(server, admin, { parent: from.account });
    const user = await findUser(server, admin, await makeUser(server, { agent: from.account, amount: '5' }));
    expect(await move(user.id, to.account, from.token)).toMatchObject({ code: 404 });
    expect(await move(user.id, below.account, to.token)).toMatchObject({ code: 404 });
    expect(await move(user.id, 'nobody', from.token)).toMatchObject({ code: 404 });
    expect(await move(user.id, below.account, from.token)).toMatchObject({ code: 200, data: { agent: below.account } });
    expect(await move(user.id, below.account, from.token)).toMatchObject({ code: 200, data: { agent: below.account } });
    expect(await move(user.id, from.account.toUpperCase(), from.token)).toMatchObject({ code: 200 });
    await server.query(sql`update agent set deleted_at = 1 where id = ${below.id}`);
    expect(await move(user.id, below.account)).toMatchObject({ code: 404 });
  });
});

describe('a move that races with another call', () => {
  test('moves once when ten moves race', async () => {
    const user = await findUser(server, admin, await makeUser(server, { agent: from.account }));
    const codes = (await Promise.all(Array.from({ length: 10 }, () => move(user.id)))).map(({ code }) => code);
    expect(codes).toEqual(Array(10).fill(200));
    const audits = await fetchAuditRows(server, { targetType: 'user', targetId: user.id });
    expect(audits.filter(({ before }) => before !== null)).toHaveLength(1);
  });

  test('moves the result of a review that began first', async () => {
    const { user, open } = await makeBusyUser();
    const { id } = await findWithdraw(server, admin, open);
    const codes = await runWhileLocked(
      server,
      (tx) => sql`select 1 from withdraw where id = ${id} for update`.execute(tx),
      () => post('withdraw/pass', { id }, from.token),
      () => move(user.id),
    );
    expect(codes.map(({ code }) => code)).toEqual([200, 200]);
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
    expect(await findWithdraw(server, to.token, open)).toMatchObject({ state: 2 });
  });

  test('answers 404 to a review that began later', async () => {
    const { user, open } = await makeBusyUser();
    const { id } = await findWithdraw(server, admin, open);
    const codes = await runWhileLocked(
      server,
      (tx) => sql`select 1 from account where user_id = ${user.id} for update`.execute(tx),
      () => move(user.id),
      () => post('withdraw/pass', { id }, from.token),
    );
    expect(codes.map(({ code }) => code)).toEqual([200, 404]);
    expect(await findWithdraw(server, to.token, open)).toMatchObject({ state: 0 });
  });

  test('stores an approval that is opened meanwhile under the new agent', async () => {
    const { user, open } = await makeBusyUser();
    const { id } = await findWithdraw(server, admin, open);
    await setPolicy(server, 'withdraw.pass', 1);
    const answers = await runWhileLocked(
      server,
      (tx) => sql`select 1 from account where user_id = ${user.id} for update`.execute(tx),
      () => move(user.id),
      () => post('withdraw/pass', { id }),
    );
    await setPolicy(server, 'withdraw.pass', 2, '10000');
    expect(answers.map(({ code }) => code)).toEqual([200, 202]);
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
  });

  test('moves the rows of an event that began first', async () => {
    const { user, word } = await makeBusyUser();
    const data = {
      no: unique('W'),
      account: word,
      market: 'USDT',
      network: 'TRC20',
      address: 'A',
      amount: '5',
      fee: '1',
    };
    await runWhileLocked<unknown>(
      server,
      (tx) => sql`select 1 from account where user_id = ${user.id} and bucket = 'frozen' for update`.execute(tx),
      () => send(server, { type: 'withdraw.requested', data }),
      () => move(user.id),
    );
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
  });

  test('stores the rows of an event that began later under the new agent', async () => {
    const { user, word } = await makeBusyUser();
    // Before go-live, events are applied one after the other, so they cannot race.
    await runWhileLive(server, async () => {
      await runWhileLocked<unknown>(
        server,
        (tx) => sql`select 1 from account where user_id = ${user.id} for update`.execute(tx),
        () => move(user.id),
        () => send(server, credited(word, 'BTC', '1')),
        () => send(server, { type: 'user.login', data: { account: word, ip: '203.0.113.8' } }),
      );
    });
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
  });

  test('moves the entries of a posting that locks only the account', async () => {
    const { user } = await makeBusyUser();
    const legs = creditLegs({ userId: user.id, agentId: from.id, marketId: 1, amount: '1' });
    const now = server.clock.now();
    const [answer] = await runWhileLocked(
      server,
      (tx) => transfer(tx, { refType: 'test', refId: user.id, at: now, now }, legs),
      () => move(user.id),
    );
    expect(answer).toMatchObject({ code: 200 });
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
  });

  test('opens an account of a waiting action under the new agent', async () => {
    const { user, word } = await makeBusyUser();
    await server.query(sql`update users set state = 0 where id = ${user.id}`);
    // Without a price, the release would need a checker.
    await setPolicy(server, 'recharge.release', 0);
    const held = credited(word, 'ETH', '3');
    await apply(server, held);
    const [row] = await server.query(sql<{ id: number }>`select id from recharge where no = ${held.data.no}`);
    const codes = await runWhileLocked(
      server,
      (tx) => sql`select 1 from account where user_id = ${user.id} for update`.execute(tx),
      () => move(user.id),
      () => post('recharge/release', { id: row?.id }),
    );
    expect(codes.map(({ code }) => code)).toEqual([200, 200]);
    expect(await fetchOwningAgents(server, user.id)).toEqual(allPlacesOf(to.account));
  });
});
