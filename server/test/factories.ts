import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { hashOf } from '../src/authority/token.ts';
import { withRetries } from '../src/database/connect.ts';
import { addressOf, networkOf } from './address.ts';
import { type TestServer, apply, call, login, unique } from './server.ts';

export const PASSWORD = 'operator-password';

export interface TestOperator {
  id: number;
  account: string;
  token: string;
}

/**
 * Resets the operator rate limits, because tests add more agents per minute than they allow. Retried, because deleting all rows
 * can deadlock with operators that act meanwhile.
 */
export const clearRateLimits = async ({ owner }: TestServer): Promise<void> => {
  await withRetries(() => sql`delete from operator_rate`.execute(owner));
};

/** Marks the session's one-time code as fresh. Only operators with one-time codes need it to add an agent. */
async function refreshOtp(server: TestServer, token: string): Promise<void> {
  await server.query(sql`update session set fresh_at = ${server.clock.now()}
    where id in (select session_id from session_token where hash = ${hashOf(token)})`);
}

/** Creates an agent below `parent` (default: the admin) through the API, grants its abilities and logs it in. */
export async function makeOperator(
  server: TestServer,
  admin: string,
  options: { parent?: string; abilities?: readonly number[]; account?: string } = {},
): Promise<TestOperator> {
  const account = options.account ?? unique('agent');
  await clearRateLimits(server);
  await refreshOtp(server, admin);
  const response = await call<AgentRow>(
    server,
    'POST',
    'agent/add',
    { account, password: PASSWORD, parentAccount: options.parent ?? '' },
    { token: admin },
  );
  if (response.code !== 200) throw new Error(`agent/add: ${response.msg}`);
  for (const type of options.abilities ?? []) {
    await call(server, 'POST', 'agent/state', { id: response.data.id, type, state: 1 }, { token: admin });
  }
  // Locked four-eyes require a password that the agent chose itself.
  await server.query(sql`update agent set password_by_other = false where id = ${response.data.id}`);
  return { id: response.data.id, account, token: await login(server, account, PASSWORD) };
}

/** Creates a user under an agent, with a credited recharge of `amount` of `market`. */
export async function makeUser(
  server: TestServer,
  options: { agent?: string; amount?: string; market?: string; account?: string } = {},
): Promise<string> {
  const account = options.account ?? unique('user');
  await apply(server, {
    type: 'user.registered',
    data: { account, ...(options.agent ? { agent: options.agent } : {}) },
  });
  if (options.amount !== undefined) await recharge(server, account, options.amount, options.market);
  return account;
}

export async function recharge(
  server: TestServer,
  account: string,
  amount: string,
  market = 'USDT',
  network = networkOf(market),
): Promise<string> {
  const no = unique('R');
  await apply(server, {
    type: 'recharge.credited',
    data: {
      no,
      account,
      market,
      network,
      address: addressOf(market, 'deposit'),
      amount,
      confirmations: 20,
      source: 1,
      txHash: `hash-${no}`,
    },
  });
  return no;
}

/** Requests a withdrawal as the platform and returns its row. */
export async function makeWithdraw(
  server: TestServer,
  admin: string,
  account: string,
  options: {
    amount?: string;
    fee?: string;
    address?: string;
    market?: string;
    no?: string;
    network?: string;
    memo?: string;
  } = {},
): Promise<WithdrawRow> {
  const no = options.no ?? unique('W');
  await apply(server, {
    type: 'withdraw.requested',
    data: {
      no,
      account,
      market: options.market ?? 'USDT',
      network: options.network ?? networkOf(options.market ?? 'USDT'),
      address: options.address ?? addressOf(options.market ?? 'USDT', no),
      ...(options.memo !== undefined && { memo: options.memo }),
      amount: options.amount ?? '100',
      fee: options.fee ?? '1',
    },
  });
  return findWithdraw(server, admin, no);
}

export async function findWithdraw(server: TestServer, token: string, no: string): Promise<WithdrawRow> {
  const { data } = await call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', { no }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`no withdrawal ${no}`);
  return row;
}

/** Requests an HTT subscription as the platform and returns its row. */
export async function makeIeo(
  server: TestServer,
  admin: string,
  account: string,
  options: { price?: string; amount?: string; no?: string } = {},
): Promise<IeoRow> {
  const no = options.no ?? unique('I');
  const { price = '0.5', amount = '100' } = options;
  await apply(server, { type: 'ieo.ordered', data: { no, account, market: 'HTT', price, amount } });
  return findIeo(server, admin, no);
}

/** Finds a subscription by its number, pending or decided. */
export async function findIeo(server: TestServer, token: string, no: string): Promise<IeoRow> {
  for (const type of ['review', 'history']) {
    const { data } = await call<Page<IeoRow>>(server, 'GET', 'ieo/order/list', { no, type }, { token });
    if (data.list[0]) return data.list[0];
  }
  throw new Error(`no subscription ${no}`);
}

export async function findUser(server: TestServer, token: string, account: string): Promise<UserRow> {
  const { data } = await call<Page<UserRow>>(server, 'GET', 'user/list', { account }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`no user ${account}`);
  return row;
}

/** Fund-account balance of a user in one coin. */
export async function fetchBalance(
  server: TestServer,
  token: string,
  account: string,
  market = 'USDT',
): Promise<{ active: string; frozen: string }> {
  const user = await findUser(server, token, account);
  const { data }: Envelope<{ marketName: string; platform: number; active: string; frozen: string }[]> = await call(
    server,
    'GET',
    'user/asset',
    { id: user.id, platform: 1 },
    { token },
  );
  const asset = data.find((row) => row.marketName === market);
  return { active: asset?.active ?? '0', frozen: asset?.frozen ?? '0' };
}
