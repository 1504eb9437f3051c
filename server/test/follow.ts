import type { FollowRow } from '@hengtai/contract/trading/follow/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { SignalAdd, SignalRow } from '@hengtai/contract/trading/signal/schema';
import { sql } from 'kysely';
import { makeUser, recharge } from './factories.ts';
import { type TestServer, apply, call, unique } from './server.ts';

/** Terms of a long signal on BTC that started a minute ago and lasts an hour. */
export const signalInput = (server: TestServer, overrides: Partial<SignalAdd> = {}): SignalAdd => ({
  title: unique('信号'),
  marketId: 2,
  side: 1,
  leverage: 10,
  price: '50000',
  takeProfit: '55000',
  stopLoss: '48000',
  ratio: '10',
  minAmount: '10',
  maxAmount: '1000',
  startAt: server.clock.now() - 60_000,
  endAt: server.clock.now() + 3_600_000,
  ...overrides,
});

export async function addSignal(
  server: TestServer,
  token: string,
  overrides: Partial<SignalAdd> = {},
): Promise<SignalRow> {
  const { data, msg } = await call<SignalRow>(
    server,
    'POST',
    'signal/add',
    { ...signalInput(server, overrides), state: overrides.state ?? 1 },
    { token },
  );
  if (!data) throw new Error(`signal/add: ${msg}`);
  return data;
}

export async function fetchSignal(server: TestServer, token: string, id: number): Promise<SignalRow> {
  return (await call<SignalRow>(server, 'GET', 'signal/detail', { id }, { token })).data;
}

/** Creates a user with USDT on the futures account. */
export async function makeFollower(
  server: TestServer,
  amount = '1000',
  options: { agent?: string; account?: string } = {},
): Promise<string> {
  const account = await makeUser(server, options);
  await recharge(server, account, amount);
  const transfer = { no: unique('T'), account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 3, amount };
  await apply(server, { type: 'transfer.made', data: transfer });
  return account;
}

export const followOpened = (account: string, signal: string, amount = '100', no = unique('FO'), auto?: boolean) => ({
  type: 'follow.opened',
  data: { no, account, signal, amount, ...(auto === undefined ? {} : { auto }) },
});
export const followClosed = (no: string, profit = '0') => ({ type: 'follow.closed', data: { no, profit } });

export async function followSignal(
  server: TestServer,
  account: string,
  signal: Pick<SignalRow, 'no'>,
  amount = '100',
): Promise<string> {
  const event = followOpened(account, signal.no, amount);
  await apply(server, event);
  return event.data.no;
}

export async function findFollow(server: TestServer, token: string, no: string): Promise<FollowRow> {
  const { data } = await call<Page<FollowRow>>(server, 'GET', 'follow/list', { no }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`no following ${no}`);
  return row;
}

/** Balances of a user on the futures account, by bucket. */
export async function fetchFuturesBalances(server: TestServer, account: string): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ bucket: string; balance: string }>`
    select a.bucket, a.balance from account a join users u on u.id = a.user_id
    where u.account_key = lower(${account}) and a.platform = 3 and a.balance <> 0`);
  return Object.fromEntries(rows.map((row) => [row.bucket, row.balance]));
}

export const fetchCommands = (server: TestServer, type: string, refId: number) =>
  server.query(sql<{ id: number; state: number; data: Record<string, unknown> }>`
    select id, state, data from command where type = ${type} and ref_id = ${refId} order by id`);
