import { sql } from 'kysely';
import { type Db, inTransaction } from '../../server/src/database/connect.ts';
import { copyIn } from './copy-in.ts';
import type { BenchDatabase } from './database.ts';

/** The owners of the rows: users and agents, numbered from 1. */
export interface Owners {
  /** The agent's id of each user; index 0 is unused. */
  agentOf: readonly number[];
  /** Whether a user has rows only in the first fifth of the history. */
  isDormant: readonly boolean[];
  /** Users that get the later rows of dormant users. */
  substitutes: readonly number[];
}

export interface LargeDataSpec {
  rows: number;
  now: number;
  owners: Owners;
  logStep: (step: string) => void;
}

/** Milliseconds between rows. */
export const ROW_MS = 3_000;
/** Five coins have nearly all rows, a sixth has about 0.2 %, and a seventh only a few rows. */
const COINS = 5;
export const MARKETS = COINS + 2;

/** A seeded generator of numbers from 0 to 1: Marsaglia's 32-bit xorshift. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Draws a user by a Zipfian distribution: the k-th has about 1/k of the first one's rows. */
function drawUser({ agentOf, isDormant, substitutes }: Owners, random: () => number, progress: number): number {
  const user = Math.floor((agentOf.length - 1) ** random()) || 1;
  return isDormant[user] && progress > 0.2 ? (substitutes[Math.floor(random() * substitutes.length)] ?? 1) : user;
}

/** Drops all indexes that belong to no constraint while the rows are loaded. */
export async function withoutIndexes(database: BenchDatabase, table: string, load: () => Promise<void>): Promise<void> {
  const indexes = await database.query(sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = ${table}::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of indexes) await database.query(sql`drop index ${sql.raw(name)}`);
  await load();
  for (const { definition } of indexes) await database.query(sql`${sql.raw(definition)}`);
  await database.query(sql`vacuum analyze ${sql.table(table)}`);
}

/** Loads rows without triggers and foreign keys. Counters have to be rebuilt afterwards. */
export async function withoutTriggers(database: BenchDatabase, load: (db: Db) => Promise<unknown>): Promise<void> {
  await inTransaction(database.db, async (db) => {
    await sql`set local session_replication_role = replica`.execute(db);
    await sql`set local synchronous_commit = off`.execute(db);
    await load(db);
  });
}

const STATES: readonly (readonly [below: number, state: number])[] = [
  [0.82, 4],
  [0.9, 5],
  [0.95, 6],
  [0.975, 9],
  [0.99, 7],
  [1, 8],
];

/** Draws a state independently of the agent. Only among the last rows some wait for review. */
function drawState(random: () => number, progress: number): number {
  const share = random();
  if (progress > 0.98 && random() < 0.2) return 0;
  return STATES.find(([below]) => share < below)?.[1] ?? 8;
}

const cents = (value: number): string => (value / 100).toFixed(2);

function drawMarket(random: () => number): number {
  const share = random();
  if (share < 0.000_005) return COINS + 2;
  return share < 0.002 ? COINS + 1 : 1 + Math.floor(COINS * random() ** 2);
}

function* withdrawals({ rows, now, owners }: LargeDataSpec): Generator<(string | number | null)[]> {
  const random = seededRandom(17);
  for (let n = 1; n <= rows; n += 1) {
    const progress = n / rows;
    const user = drawUser(owners, random, progress);
    const state = drawState(random, progress);
    const at = now - (rows - n) * ROW_MS - Math.floor(random() * 60_000);
    const amount = cents(1_000 + Math.floor(random() * 9_999_000));
    const market = drawMarket(random);
    const isDecided = state > 0;
    const isPaid = state === 4 || state === 9;
    const address = `T${Math.floor(random() * 300_000)}`;
    yield [
      n, `W${n}`, user, owners.agentOf[user] ?? 1, market, 'TRC20', address, amount, 1, amount,
      isPaid ? `hash${n}` : '', state === 4 ? 1 : 0, state, random() < 0.03 ? '{first_address}' : '{}',
      isDecided ? `agent${1 + (n % 16)}` : null, isDecided ? at : null, at, at, at,
      `opaque:${address}`, '', JSON.stringify([`opaque:${address}`, '']), '{}', 1,
    ]; // prettier-ignore
  }
}

export async function loadWithdrawals(database: BenchDatabase, large: LargeDataSpec): Promise<void> {
  await withoutIndexes(database, 'withdraw', () =>
    copyIn(
      database.ownerUrl,
      'withdraw',
      'id, no, user_id, agent_id, market_id, network, address, amount, fee, valuation, tx_hash, attempt, state, risk, by_account, reviewed_at, created_at, recorded_at, updated_at, account_key, memo_key, beneficiary, address_faults, account_rules',
      withdrawals(large),
    ),
  );
  await database.query(sql`select setval(pg_get_serial_sequence('withdraw', 'id'), ${large.rows})`);
  large.logStep('withdrawals');
}

/** One change of a user's account; the house has the opposite entry. */
interface Posting {
  user: number;
  market: number;
  platform: number;
  type: number;
  cents: number;
  balance: number;
  /** Index of the user's account. */
  account: number;
  at: number;
}

interface Account {
  user: number;
  market: number;
  platform: number;
}

/** Generates the same postings on every call, and fills `accounts` and `balances` on the way. */
function* postings({ rows, now, owners }: LargeDataSpec, accounts: Account[], balances: number[]): Generator<Posting> {
  accounts.length = balances.length = 0;
  const indexByKey = new Map<number, number>();
  const random = seededRandom(23);
  for (let n = 1; n <= rows; n += 1) {
    const progress = n / rows;
    const user = drawUser(owners, random, progress);
    const market = drawMarket(random);
    const platform = random() < 0.7 ? 1 : 2 + Math.floor(random() * 3);
    const key = (user * MARKETS + market - 1) * 4 + platform - 1;
    let account = indexByKey.get(key);
    if (account === undefined) {
      account = accounts.push({ user, market, platform }) - 1;
      balances.push(0);
      indexByKey.set(key, account);
    }
    const before = balances[account] ?? 0;
    const size = 100 + Math.floor(random() * 1_000_000);
    const change = before >= size && random() < 0.55 ? -size : size;
    const type = 1 + Math.floor(8 * random() ** 2);
    const balance = before + change;
    balances[account] = balance;
    const at = now - (rows - n) * ROW_MS - Math.floor(random() * 60_000);
    yield { user, market, platform, type, cents: change, balance, account, at };
  }
}

/** Loads ledger entries with both sides, so that the ledger's check passes. */
export async function loadFunds(database: BenchDatabase, large: LargeDataSpec): Promise<void> {
  const { rows, now, owners } = large;
  const accounts: Account[] = [];
  const balances: number[] = [];
  const { ownerUrl: url } = database;
  const every = () => postings(large, accounts, balances);
  function* numbered<T>(make: (posting: Posting, n: number) => T): Generator<T> {
    let n = 0;
    for (const posting of every()) yield make(posting, (n += 1));
  }
  const house = Array.from({ length: MARKETS }, () => 0);
  function* entries(): Generator<(string | number | null)[]> {
    house.fill(0);
    let n = 0;
    for (const { user, market, platform, type, cents: change, balance, account, at } of every()) {
      n += 1;
      const houseBalance = (house[market - 1] ?? 0) - change;
      house[market - 1] = houseBalance;
      const common = (id: number, side: number) => [id, n, n, side];
      // One entry in 1,024 is of one of 16 operators.
      const operator = n % 1_024 === 0 ? 101 + ((n / 1_024) % 16) : null;
      yield [...common(2 * n - 1, Math.sign(change)), MARKETS + 1 + account, market, user, owners.agentOf[user] ?? 1, platform, 'active', type, cents(change), cents(balance), 'bench', n, operator, at, at];
      yield [...common(2 * n, -Math.sign(change)), market, market, null, null, 0, 'active', type, cents(-change), cents(houseBalance), 'bench', n, null, at, at];
    } // prettier-ignore
  }
  await withoutIndexes(database, 'transfer', () =>
    copyIn(url, 'transfer', 'id, ref_type, ref_id, created_at, recorded_at', numbered(({ at }, n) => [n, 'bench', n, at, at])),
  ); // prettier-ignore
  await withoutIndexes(database, 'leg', () =>
    copyIn(url, 'leg', 'id, transfer_id, market_id, amount', numbered(({ market, cents: change }, n) => [n, n, market, cents(Math.abs(change))])),
  ); // prettier-ignore
  large.logStep('transfers');
  await withoutIndexes(database, 'entry', () =>
    copyIn(url, 'entry', 'id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount, balance, ref_type, ref_id, operator_id, created_at, recorded_at', entries()),
  ); // prettier-ignore
  await copyIn(url, 'account', 'id, owner, owner_id, user_id, agent_id, market_id, platform, bucket, balance, created_at', [
    ...house.map((left, at) => [1 + at, 'custody', 1, null, null, 1 + at, 0, 'active', cents(left), now]),
    ...accounts.map(({ user, market, platform }, at) => [MARKETS + 1 + at, 'user', user, user, owners.agentOf[user] ?? 1, market, platform, 'active', cents(balances[at] ?? 0), now]),
  ]); // prettier-ignore
  await database.query(sql`insert into fund_check (entry_id, user_id, agent_id, state, operator_id, updated_at, market_id, platform, bucket, type, amount, created_at)
    select id, user_id, agent_id, 1 + (random() < 0.1)::int, 1, ${now}, market_id, platform, bucket, type, amount, created_at from entry where user_id is not null and random() < 0.02`);
  for (const [table, last] of [['entry', 2 * rows], ['transfer', rows], ['account', MARKETS + 1 + accounts.length]] as const)
    await database.query(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`); // prettier-ignore
  large.logStep('fund records');
}
