import type { Page } from '@hengtai/contract/wire/list';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { sql } from 'kysely';
import { settleBinaryContracts } from '../src/domains/trading/binary-contract/binary-contract.jobs.ts';
import { makeUser, recharge } from './factories.ts';
import { type TestServer, apply, call, unique } from './server.ts';

/** Creates a user with USDT on the binary-contract account. */
export async function makeContractUser(
  server: TestServer,
  amount = '1000',
  options: { agent?: string; account?: string } = {},
): Promise<string> {
  const account = await makeUser(server, options);
  await recharge(server, account, amount);
  const transfer = { no: unique('T'), account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 4, amount };
  await apply(server, { type: 'transfer.made', data: transfer });
  return account;
}

/** Creates a market with binary contracts for one test. */
export async function makeBinaryContractMarket(server: TestServer): Promise<string> {
  const name = unique('S2');
  await server.query(sql`insert into market (market_name, second, state, created_at, recorded_at, updated_at)
    values (${name}, 1, 1, 1, 1, 1)`);
  return name;
}

export interface ContractInput {
  no?: string;
  market?: string;
  side?: 1 | 2;
  seconds?: number;
  amount?: string;
  at?: number;
}

/** Builds the event of a new contract: by default 100 USDT on a higher price in 30 seconds. */
export const contractOpened = (account: string, { at, ...fields }: ContractInput = {}) => ({
  type: 'second.opened',
  ...(at !== undefined && { at }),
  data: { no: unique('C'), account, market: 'BTC', side: 1, seconds: 30, amount: '100', ...fields },
});

export async function openContract(server: TestServer, account: string, input: ContractInput = {}): Promise<string> {
  const event = contractOpened(account, input);
  await apply(server, event);
  return event.data.no;
}

export const tick = (market: string, price: string, at: number) => ({ type: 'tick', data: { market, price, at } });

/** Sends ticks of one market, each as `[price, at]`. */
export const sendTicks = (server: TestServer, market: string, ...ticks: readonly (readonly [string, number])[]) =>
  apply(server, ...ticks.map(([price, at]) => tick(market, price, at)));

/** Runs the settlement until nothing is left to settle. */
export async function settleAll(server: TestServer): Promise<void> {
  while (await settleBinaryContracts(server.app)) {
    // The call itself does the work and returns whether more is left.
  }
}

export async function findBinaryContract(server: TestServer, token: string, no: string): Promise<BinaryContractRow> {
  const { data } = await call<Page<BinaryContractRow>>(server, 'GET', 'second/contract/list', { no }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`no contract ${no}`);
  return row;
}

/** Balances of a user on the binary-contract account. */
export async function fetchContractBalances(
  server: TestServer,
  account: string,
): Promise<{ active: string; frozen: string }> {
  const [row] = await server.query(sql<{ active: string; frozen: string }>`
    select coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
      coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
    from account a join users u on u.id = a.user_id where u.account_key = lower(${account}) and a.platform = 4`);
  return row ?? { active: '0', frozen: '0' };
}

/** Commands about one contract, oldest first. */
export const fetchContractCommands = (server: TestServer, id: number) =>
  server.query(sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from command where ref_type = 'second' and ref_id = ${id} order by id`);
