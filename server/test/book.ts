import type { MarketSave } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type TestServer, send, unique } from './server.ts';

export type SentEvent = Parameters<typeof send>[1];

/** One ledger entry of a user's account. */
export interface PostedEntry {
  market: string;
  platform: number;
  bucket: string;
  type: number;
  amount: string;
  balance: string;
  refType: string;
  createdAt: number;
}

/** Fetches a user's entries in posting order. */
export const fetchEntries = (server: TestServer, account: string): Promise<PostedEntry[]> =>
  server.query(sql<PostedEntry>`
    select m.market_name as market, e.platform, e.bucket, e.type, e.amount, e.balance, e.ref_type as "refType",
      e.created_at as "createdAt"
    from entry e join users u on u.id = e.user_id join market m on m.id = e.market_id
    where u.account_key = lower(${account}) order by e.id`);

/** Non-zero balances of a user, keyed by `market platform bucket`. */
export async function fetchBalances(server: TestServer, account: string): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ name: string; balance: string }>`
    select m.market_name || ' ' || a.platform || ' ' || a.bucket as name, a.balance
    from account a join users u on u.id = a.user_id join market m on m.id = a.market_id
    where u.account_key = lower(${account}) and a.balance <> 0`);
  return Object.fromEntries(rows.map((row) => [row.name, row.balance]));
}

/** Balance of a house account in one market, summed over its stripes. */
export async function fetchHouseBalance(server: TestServer, owner: string, market: string): Promise<string> {
  const [row] = await server.query(sql<{ sum: string }>`
    select coalesce(sum(a.balance), 0) as sum from account a join market m on m.id = a.market_id
    where a.owner = ${owner} and m.market_name = ${market}`);
  return row?.sum ?? '0';
}

export interface MarketOptions {
  name?: string;
  state?: number;
  rechargeState?: number;
  withdrawState?: number;
  withdrawMin?: string;
  withdrawMax?: string;
  networks?: {
    network: string;
    recharge: number;
    withdraw: number;
    fee?: string;
    explorer?: string;
    matchMinutes?: number;
  }[];
}

/** Creates a market for one test and returns its name. */
export async function makeMarket(server: TestServer, options: MarketOptions = {}): Promise<string> {
  const name = options.name ?? unique('M');
  await server.query(sql`
    insert into market (market_name, state, recharge_state, withdraw_state, withdraw_min, withdraw_max, networks,
      created_at, recorded_at, updated_at)
    values (${name}, ${options.state ?? 1}, ${options.rechargeState ?? 1}, ${options.withdrawState ?? 1},
      ${options.withdrawMin ?? '0'}, ${options.withdrawMax ?? '0'}, ${JSON.stringify(options.networks ?? [])}::jsonb, 0, 0, 0)`);
  return name;
}

/** Adds open networks to those that a coin lists. */
export async function openNetworks(server: TestServer, market: string, names: readonly string[]): Promise<void> {
  await server.query(sql`
    update market m set networks = networks || coalesce((
      select jsonb_agg(jsonb_build_object('network', n, 'recharge', 1, 'withdraw', 1, 'fee', '0', 'explorer', ''))
      from unnest(${[...names]}::text[]) n
      where not exists (select from jsonb_array_elements(m.networks) listed where listed ->> 'network' = n)), '[]')
    where market_name = ${market}`);
}

/** Every setting of a market except its name. */
export const marketSettings: Omit<MarketSave, 'marketName'> = {
  icon: '',
  spot: 1,
  future: 0,
  second: 0,
  ieo: 0,
  pricePrecision: 2,
  amountPrecision: 8,
  minAmount: '0',
  maxAmount: '0',
  makerFee: '0.001',
  takerFee: '0.001',
  maxLeverage: 1,
  maintenanceRate: '0.005',
  withdrawFee: '0',
  withdrawMin: '0',
  withdrawMax: '0',
  rechargeState: 1,
  withdrawState: 1,
  networks: [],
  sort: 0,
  state: 1,
};

/** Sets the state of a user: 1 normal, 0 frozen. */
export async function setUserState(server: TestServer, account: string, state: 0 | 1): Promise<void> {
  await server.query(sql`update users set state = ${state} where account_key = lower(${account})`);
}

/** Runs work while the installation is marked as live. */
export async function runWhileLive(server: TestServer, work: () => Promise<void>): Promise<void> {
  await server.query(sql`update installation set live = 1`);
  try {
    await work();
  } finally {
    await server.query(sql`update installation set live = 0`);
  }
}

/** Stops the clock. Afterwards only `move` (ms) advances it; `release` restores the real clock. */
export function freezeClock(server: TestServer): { at: number; move(ms: number): void; release(): void } {
  const now = server.clock.now.bind(server.clock);
  const frozen = {
    at: now(),
    move: (ms: number) => void (frozen.at += ms),
    release: () => void (server.clock.now = now),
  };
  server.clock.now = () => frozen.at;
  return frozen;
}

const tables = [
  'agent',
  'closure',
  'users',
  'credential_change',
  'user_login',
  'market',
  'tick',
  'account',
  'transfer',
  'entry',
  'leg',
  'hold',
  'recharge',
  'withdraw',
  'trade_order',
  'trade_fill',
  'future_order',
  'future_close',
  'future_funding',
  'future_open',
  'corporate_action',
  'ieo',
  'second_contract',
  'internal_transfer',
  'alarm',
  'approval',
  'inbox',
  'command',
  'wallet',
  'wallet_reading',
  'chain_move',
  'chain_revert',
  'chain_fee',
  'chain_move_open',
  'wallet_transfer',
  'wallet_pending',
  'chain_order',
  'chain_record_open',
  'wallet_item',
];

/** Hashes the rows of each table that an event can change, by table name. */
export async function fingerprint(server: TestServer): Promise<Record<string, string>> {
  // A job numbers commands shortly after their transaction.
  const queries = tables.map((table) => {
    const row = table === 'command' ? sql`(to_jsonb(r) - '{seq,attempt}'::text[])::text` : sql`r::text`;
    return sql`select ${sql.lit(table)} as name,
      md5(coalesce(string_agg(${row}, chr(10) order by ${row}), '')) as hash from ${sql.table(table)} r`;
  });
  const rows = await server.query(sql<{ name: string; hash: string }>`${sql.join(queries, sql` union all `)}`);
  return Object.fromEntries(rows.map((row) => [row.name, row.hash]));
}

/**
 * Sends an event that must be rejected without changing any row, except of these tables, which it must change. Returns the
 * reason.
 */
export async function expectRejection(
  server: TestServer,
  event: SentEvent,
  changed: readonly string[] = [],
): Promise<string | undefined> {
  const before = await fingerprint(server);
  const [answer] = await send(server, event);
  expect(answer?.result).toBe('rejected');
  const after = await fingerprint(server);
  const others = Object.fromEntries(changed.map((table) => [table, expect.not.stringMatching(before[table] ?? '')]));
  expect(after).toEqual({ ...before, ...others });
  return answer?.reason;
}
