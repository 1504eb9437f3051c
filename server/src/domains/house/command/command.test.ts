import { ABILITY } from '@hengtai/contract/authority/ability';
import { type CommandAction, commandAbility, commandActionStatesOf } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND, COMMAND_TYPES, type CommandType } from '@hengtai/contract/gateway/gateway';
import type { Page } from '@hengtai/contract/wire/list';
import type { Counts, NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { SPOT } from '@hengtai/contract/trading/spot/facts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, testServer, unique } from '../../../../test/server.ts';
import { numberNotifications } from '../../desk/notify/notify.jobs.ts';
import { publishCommands, timeOutCommands } from '../../../gateway/publisher.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { platform } from '../../../modules.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const operator = (abilities: number[], parent?: string): Promise<TestOperator> =>
  makeOperator(server, admin, { abilities, ...(parent !== undefined && { parent }) });
const list = async (token: string, input: object): Promise<CommandRow[]> =>
  (await call<Page<CommandRow>>(server, 'GET', 'command/list', { size: 200, ...input }, { token })).data.list;
const counts = async (token: string): Promise<Counts> =>
  (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data;
const retry = (token: string, id: number, reason?: string) =>
  call<CommandRow>(server, 'POST', 'command/retry', { id, ...(reason !== undefined && { reason }) }, { token });
const resolve = (token: string, id: number, state: number, reason?: string) =>
  call<CommandRow>(
    server,
    'POST',
    'command/resolve',
    { id, state, ...(reason !== undefined && { reason }) },
    { token },
  );
const pull = async (): Promise<{ id: number; seq: number; attempt: number }[]> =>
  (await platformCall<{ id: number; seq: number; attempt: number }[]>(server, 'GET', 'commands?limit=500')).data;
const ack = (id: number, state: string, reason = '') =>
  platformCall(server, 'POST', 'commands/ack', [{ id, state, reason }]);

/** A spot order whose cancel command was delivered and never answered. */
async function cancelWithoutAnswer(agent: string): Promise<{ id: number; no: string; command: CommandRow }> {
  const account = await makeUser(server, { agent, amount: '100' });
  const no = unique('O');
  const move = {
    no: unique('T'),
    account,
    toAccount: account,
    market: 'USDT',
    platform: 1,
    toPlatform: 2,
    amount: '100',
  };
  await apply(
    server,
    { type: 'transfer.made', data: move },
    { type: 'order.placed', data: { no, account, market: 'BTC', side: 1, type: 1, price: '5', amount: '1' } },
  );
  const orders = await call<Page<{ id: number }>>(server, 'GET', 'trade/order/list', { no }, { token: admin });
  const id = orders.data.list[0]?.id ?? 0;
  await call(server, 'POST', 'trade/order/cancel', { id }, { token: admin });
  await publishCommands(server.app);
  await pull();
  server.clock.move(61_000);
  await timeOutCommands(server.app, platform.answers);
  const [command] = await list(admin, { type: 'order.cancel', targetId: id });
  if (!command) throw new Error('no command');
  return { id, no, command };
}

const orderState = async (id: number): Promise<number | undefined> =>
  (await call<Page<{ state: number }>>(server, 'GET', 'trade/order/list', { id }, { token: admin })).data.list[0]
    ?.state;

async function insertCommand(type: CommandType, state: number, refType: string, refId: number): Promise<number> {
  const [row] = await server.query<{ id: number }>(sql`
    insert into command (type, ref_type, ref_id, data, state, attempt, created_at, recorded_at)
    values (${type}, ${refType}, ${refId}, '{}', ${state}, 1, 1, 1) returning id`);
  return row?.id ?? 0;
}

test('counts and notifies an unanswered cancel in its tree until it is resolved', async () => {
  const own = await operator([ABILITY.orders]);
  const other = await operator([ABILITY.orders]);
  const { id, command } = await cancelWithoutAnswer(own.account);
  expect(command).toMatchObject({ state: COMMAND.unknown, targetType: 'trade', targetId: id, agent: own.account });
  expect((await counts(own.token)).commandUnknown).toBe(1);
  expect((await counts(other.token)).commandUnknown).toBe(0);
  await numberNotifications(server.app);
  const { data } = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: own.token });
  expect(data.list[0]).toMatchObject({ type: 'command.unknown', refType: 'command', refId: command.id });
  expect((await resolve(other.token, command.id, COMMAND.done)).code).toBe(404);
  // Resolved as not executed, so the order is open again.
  const answer = await resolve(own.token, command.id, COMMAND.failed, '平台确认未执行');
  expect(answer.data).toMatchObject({ state: COMMAND.failed, reason: '平台确认未执行', by: own.account });
  expect(await orderState(id)).toBe(SPOT.open);
  expect((await counts(own.token)).commandUnknown).toBe(0);
  expect(await fetchAuditRows(server, { targetType: 'command', targetId: command.id })).toMatchObject([
    {
      action: 'command.resolve',
      operator: own.account,
      result: 200,
      before: { command: 'order.cancel', state: COMMAND.unknown },
      after: { command: 'order.cancel', state: COMMAND.failed },
    },
  ]);
  // A failed cancel cannot be retried here; a new one on the order passes its policy again.
  expect((await retry(own.token, command.id)).code).toBe(409);
});

test('resolving as done changes the command only; the order follows the events of the engine', async () => {
  const own = await operator([ABILITY.orders]);
  const { id, no, command } = await cancelWithoutAnswer(own.account);
  expect((await resolve(own.token, command.id, COMMAND.done)).code).toBe(200);
  expect(await orderState(id)).toBe(SPOT.cancelling);
  await apply(server, { type: 'order.cancelled', data: { no } });
  expect(await orderState(id)).toBe(SPOT.cancelled);
  expect((await resolve(own.token, command.id, COMMAND.failed)).code).toBe(409);
});

test('a retry is delivered again under the same id and a new number', async () => {
  const own = await operator([ABILITY.orders]);
  const { command } = await cancelWithoutAnswer(own.account);
  const answer = await retry(own.token, command.id, '平台已恢复');
  expect(answer.data).toMatchObject({ id: command.id, state: COMMAND.waiting, by: own.account });
  expect((await counts(own.token)).commandUnknown).toBe(0);
  await publishCommands(server.app);
  const [delivered] = (await pull()).filter(({ id }) => id === command.id);
  expect(delivered).toMatchObject({ attempt: 2 });
  // The timeout starts again with the new delivery.
  await timeOutCommands(server.app, platform.answers);
  expect((await list(own.token, { id: command.id }))[0]).toMatchObject({ state: COMMAND.sent });
  await ack(command.id, 'done');
  expect((await list(own.token, { id: command.id }))[0]).toMatchObject({ state: COMMAND.done, attempt: 2 });
  expect((await retry(own.token, command.id)).code).toBe(409);
});

test('lets one win when an operator and the platform answer at once', async () => {
  const own = await operator([ABILITY.orders]);
  const { command } = await cancelWithoutAnswer(own.account);
  const [answer] = await Promise.all([resolve(own.token, command.id, COMMAND.done), ack(command.id, 'failed', 'no')]);
  const [row] = await list(own.token, { id: command.id });
  expect(row?.state).toBe(answer.code === 200 ? COMMAND.done : COMMAND.failed);
  expect([200, 409]).toContain(answer.code);
});

test('refuses to retry or resolve a payout, which is handled on its withdrawal', async () => {
  const own = await operator([ABILITY.withdraw]);
  const account = await makeUser(server, { agent: own.account, amount: '100' });
  const row = await makeWithdraw(server, admin, account, { amount: '50', fee: '1' });
  await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  const [payout] = await list(own.token, { type: 'withdraw.payout', targetId: row.id });
  await server.query(sql`update command set state = ${COMMAND.unknown} where id = ${payout?.id}`);
  expect(payout).toMatchObject({ amount: '49', marketName: 'USDT', no: row.no });
  for (const answer of [await retry(own.token, payout?.id ?? 0), await resolve(own.token, payout?.id ?? 0, 2)]) {
    expect([answer.code, answer.msg]).toEqual([409, '打款指令请在提现记录中处理']);
  }
  expect((await counts(own.token)).commandUnknown).toBe(0);
});

test('retries a failed command unless a later one supersedes it, and never shows secrets', async () => {
  const own = await operator([ABILITY.users]);
  const account = await makeUser(server, { agent: own.account });
  const { id: userId } = await findUser(server, admin, account);
  await call(server, 'POST', 'user/pwd_update', { id: userId, password: 'new-password' }, { token: admin });
  const [password] = await list(own.token, { type: 'user.password', userId });
  expect(JSON.stringify(password)).not.toContain('argon2');
  const first = await insertCommand('user.updated', COMMAND.failed, 'user', userId);
  expect((await list(own.token, { id: first }))[0]).toMatchObject({ superseded: false, account });
  const second = await insertCommand('user.deleted', COMMAND.failed, 'user', userId);
  expect((await list(own.token, { id: first }))[0]).toMatchObject({ superseded: true });
  expect((await retry(own.token, first)).code).toBe(409);
  expect((await retry(own.token, second)).data).toMatchObject({ state: COMMAND.waiting });
  // A failed command has a known outcome, so it cannot be resolved.
  expect((await resolve(own.token, first, COMMAND.done)).code).toBe(409);
});

test('shows commands about no user to full scope only, and requires the ability of the command', async () => {
  const own = await operator([ABILITY.platform, ABILITY.markets]);
  const office = await operator([ABILITY.markets, ABILITY.headquarters]);
  const id = await insertCommand('market.updated', COMMAND.unknown, 'market', 2);
  const halt = await insertCommand('market.halted', COMMAND.unknown, 'market', 2);
  expect(await list(own.token, { id })).toEqual([]);
  expect((await retry(own.token, id)).code).toBe(404);
  expect((await list(office.token, { id }))[0]).toMatchObject({ account: null, agent: null, targetType: 'market' });
  expect((await counts(office.token)).commandUnknown).toBe(1);
  expect((await resolve(office.token, halt, COMMAND.done)).code).toBe(403);
  expect((await resolve(office.token, id, COMMAND.done)).code).toBe(200);
  expect((await counts(office.token)).commandUnknown).toBe(0);
  await server.query(sql`update command set state = ${COMMAND.done} where id = ${halt}`);
});

test('shows balance commands to operators who see the user', async () => {
  const own = await operator([ABILITY.assets]);
  const other = await operator([ABILITY.assets]);
  const account = await makeUser(server, { agent: own.account });
  const { id: userId } = await findUser(server, admin, account);
  const input = { userId, marketId: 1, platform: 1, amount: '20', state: 0, reason: 'gift' };
  expect((await call(server, 'POST', 'asset/active/add', input, { token: own.token })).code).toBe(200);
  const [command] = await list(own.token, { type: 'balance.changed', userId });
  expect(command).toMatchObject({ targetType: 'entry', account, agent: own.account, marketName: 'USDT' });
  expect(await list(other.token, { type: 'balance.changed' })).toEqual([]);
});

test('defines actions by state and an ability for every type', () => {
  const open = (action: CommandAction, type: string) => commandActionStatesOf(action, type).join(' ');
  expect([open('retry', 'withdraw.payout'), open('resolve', 'withdraw.payout')]).toEqual(['', '']);
  expect([open('retry', 'position.close'), open('resolve', 'position.close')]).toEqual(['4', '4']);
  expect([open('retry', 'user.updated'), open('resolve', 'user.updated')]).toEqual(['3 4', '4']);
  expect(new Set(COMMAND_TYPES.map(commandAbility)).has(ABILITY.enabled)).toBe(false);
  expect(commandAbility('of a later version')).toBe(ABILITY.platform);
});
