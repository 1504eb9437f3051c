import { literals } from '../../../database/literals.ts';
import { openRechargeStates, rechargeStates, RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { PLATFORM } from '@hengtai/contract/values/money';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import {
  RECHARGE_SOURCE,
  type RechargeState,
  TX_HASH_MIN,
  recharge as calls,
} from '@hengtai/contract/funds/recharge/calls';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, type Scope, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { counters } from '../../../books/lists/counters.ts';
import { inListScope, inScope } from '../../../database/scope.ts';
import { isOnReportDay } from '../../../books/lists/report-day.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { EventBatch, NumberedRows, Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { movedMoney, notificationInsert, notificationStepsInsert } from '../../../actions/notification.store.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';
import { keyTypes } from '../../../destination/keys.ts';
import type { Output } from './recharge.rules.ts';

export interface RechargeRecord {
  id: number;
  no: string;
  userId: number;
  agentId: number;
  userState: number;
  account: string;
  marketId: number;
  marketName: string;
  network: string;
  source: number;
  txHash: string;
  /** Number of the output or event in the transaction. */
  index: number | null;
  /** Null until the recharge is keyed. */
  beneficiary: string | null;
  amount: string;
  state: number;
  /** Time at which the money arrived according to the platform, unix milliseconds. */
  arrivedAt: number | null;
}

/** Locked, so that concurrent events of a recharge run one after the other. */
export const recharges: NumberedRows<RechargeRecord> = {
  table: 'recharge',
  lock: async (db, numbers) => {
    const { rows } = await sql<RechargeRecord>`${prepared}
      select r.id, r.no, r.user_id as "userId", r.agent_id as "agentId", u.state as "userState", u.account,
        r.market_id as "marketId", m.market_name as "marketName", r.network, r.source, r.tx_hash as "txHash",
        r.tx_index as index, r.beneficiary, r.amount, r.state, r.arrived_at as "arrivedAt"
      from recharge r join users u on u.id = r.user_id join market m on m.id = r.market_id
      where r.no = any(${numbers}::text[]) for update of r`.execute(db);
    return rows;
  },
};

/** The notification of a move to each state. */
const notificationTypes: Readonly<Record<RechargeState, NotificationType>> = {
  0: 'recharge.released',
  1: 'recharge.credited',
  2: 'recharge.failed',
  3: 'recharge.held',
  4: 'recharge.reversed',
};

/** The state of a recharge that has arrived when the platform reports it for the first time. */
export interface RechargeArrival {
  state: typeof RECHARGE.credited | typeof RECHARGE.held;
  /** Unix milliseconds. */
  at: number;
  /** Why it is held. */
  remark: string;
}

const rechargeTypes = {
  id: 'bigint',
  no: 'text',
  userId: 'bigint',
  agentId: 'bigint',
  marketId: 'bigint',
  network: 'text',
  address: 'text',
  memo: 'text',
  ...keyTypes,
  txHash: 'text',
  index: 'int',
  amount: 'numeric',
  confirmations: 'int',
  source: 'int',
  voucher: 'text',
  state: 'int',
  remark: 'text',
  arrivedAt: 'bigint',
  creditedAt: 'bigint',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type RechargeToWrite = BulkRow<typeof rechargeTypes, 'index' | 'arrivedAt' | 'creditedAt'>;
type NewRecharge = Omit<RechargeToWrite, 'id' | 'state' | 'remark' | 'arrivedAt' | 'creditedAt'>;

const newRecharges: Writer<RechargeToWrite> = { tables: ['recharge'], write: insertRecharges };

/**
 * Inserts a waiting recharge, or with `arrived` one that is credited or held at once.
 *
 * @throws Rejected if the number exists
 */
export function insertRecharge(batch: EventBatch, row: NewRecharge, arrived?: RechargeArrival): Promise<number> {
  const state = arrived?.state ?? RECHARGE.waiting;
  const arrivedAt = arrived?.at ?? null;
  const creditedAt = state === RECHARGE.credited ? arrivedAt : null;
  return batch.insertWithId(newRecharges, { ...row, state, remark: arrived?.remark ?? '', arrivedAt, creditedAt });
}

async function insertRecharges(db: Db, all: readonly RechargeToWrite[]): Promise<void> {
  const { rows } = await sql`${prepared}
    with moved as (insert into recharge as r (id, no, user_id, agent_id, market_id, network, address, memo,
      account_key, memo_key, beneficiary, address_faults, account_rules, tx_hash, tx_index, amount, confirmations, source, voucher, state, remark, arrived_at, credited_at, created_at, recorded_at, updated_at)
      overriding system value
    select id, no, "userId", "agentId", "marketId", network, address, memo, "accountKey", "memoKey", beneficiary,
      string_to_array("addressFaults", ','), "accountRules", "txHash", index, amount, confirmations, source, voucher, state, remark, "arrivedAt", "creditedAt", "createdAt", now, now
    from ${unnestRows('w', rechargeTypes, all)} order by n
    on conflict (no) do nothing returning ${movedMoney}, r.recorded_at, r.created_at),
    notified as (${notificationStepsInsert(arrivals)})
    select 1 from moved`.execute(db);
  if (rows.length < all.length) throw reject('exists');
}

/** Every inserted recharge notifies its detection; one that is credited or held at once notifies that as well. */
const arrivals = [
  { type: 'recharge.detected', state: RECHARGE.waiting, of: [RECHARGE.waiting, RECHARGE.credited, RECHARGE.held] },
  { type: notificationTypes[RECHARGE.credited], state: RECHARGE.credited, of: [RECHARGE.credited] },
  { type: notificationTypes[RECHARGE.held], state: RECHARGE.held, of: [RECHARGE.held] },
] as const;

/**
 * Moves a recharge to another state if it is still in one of the states `from`.
 *
 * @returns whether this call moved it
 */
export async function moveRecharge(
  db: Db,
  id: number,
  move: {
    from: readonly number[];
    to: number;
    now: number;
    remark?: string;
    creditedAt?: number;
    arrivedAt?: number;
    /** If set, the move also requires that the recharge has (true) or has not (false) arrived. */
    arrived?: boolean;
    confirmations?: number;
    txHash?: string;
    index?: number;
    /** Business time if it differs from `now`, unix milliseconds. */
    at?: number;
    heldBy?: number;
  },
): Promise<boolean> {
  const { rows } = await sql`${prepared}
    with moved as (update recharge r set state = ${move.to}, updated_at = ${move.now}, remark = coalesce(${move.remark ?? null}, remark),
      credited_at = coalesce(${move.creditedAt ?? null}::bigint, credited_at),
      arrived_at = coalesce(arrived_at, ${move.arrivedAt ?? null}::bigint),
      confirmations = greatest(confirmations, ${move.confirmations ?? 0}),
      tx_hash = coalesce(${move.txHash ?? null}, tx_hash),
      tx_index = coalesce(${move.index ?? null}::int, tx_index),
      held_by = case when ${move.to === RECHARGE.held} then coalesce(${move.heldBy ?? null}::bigint, held_by) end
    where r.id = ${id} and r.state = any(${[...move.from]}::int[])
      and (${move.arrived ?? null}::boolean is null or (arrived_at is not null) = ${move.arrived ?? null})
    returning ${movedMoney}),
    notified as (${notificationInsert(notificationTypes[move.to as RechargeState], move.at ?? move.now, move.now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/**
 * Splits a credited recharge into the amount that the user still has (`taken`) and the rest (`missing`), both decimal
 * strings, and finds the transfer that credited it. Locks the account.
 */
export async function lockReversible(
  db: Db,
  row: RechargeRecord,
): Promise<{ taken: string; missing: string; transferId: number | null }> {
  const { rows } = await sql<{ taken: string; missing: string; transferId: number | null }>`
    with available as (
      select coalesce((select balance from account where user_id = ${row.userId} and market_id = ${row.marketId}
        and platform = ${PLATFORM.fund} and bucket = 'active' for update), 0) as balance
    )
    select least(balance, ${row.amount}::numeric) as taken, greatest(${row.amount}::numeric - balance, 0) as missing,
      (select max(id) from transfer where ref_type = 'recharge' and ref_id = ${row.id}) as "transferId"
    from available`.execute(db);
  return rows[0] ?? { taken: '0', missing: row.amount, transferId: null };
}

/**
 * The recharges as which an output has arrived already. Failed and reversed ones do not count. Until the transaction ends, no
 * other one judges the arrival of the output.
 */
export async function findArrived(db: Db, { txHash, index, beneficiary }: Output): Promise<number[]> {
  const key = JSON.stringify([txHash, index, beneficiary]);
  await sql`${prepared}select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from recharge where tx_hash = ${txHash} and tx_hash <> '' and tx_index = ${index} and beneficiary = ${beneficiary}
      and source = ${sql.lit(RECHARGE_SOURCE.chain)} and arrived_at is not null and ${isStanding('recharge')} order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Whether a recharge neither failed nor was reversed. */
const isStanding = (recharge: string) =>
  sql`${sql.ref(`${recharge}.state`)} not in (${sql.lit(RECHARGE.failed)}, ${sql.lit(RECHARGE.reversed)})`;

/**
 * The recharges in the scope that the transaction of another number made to the same account and memo. Failed and reversed ones
 * do not count.
 */
function sameTransaction(scope: Scope): RawBuilder<unknown> {
  const counts = (recharge: string) =>
    sql`${sql.ref(`${recharge}.source`)} = ${sql.lit(RECHARGE_SOURCE.chain)} and ${isStanding(recharge)}`;
  return sql`case when length(r.tx_hash) >= ${sql.lit(TX_HASH_MIN)} and ${counts('r')} then array(
    select o.id from recharge o where o.tx_hash = r.tx_hash and o.tx_hash <> '' and o.beneficiary = r.beneficiary and o.id <> r.id
      and ${counts('o')} and ${inListScope(scope, 'o.agent_id')} order by o.id) else '{}' end`;
}

const fieldsIn = (scope: Scope): RawBuilder<unknown> => sql`
  r.id, r.no, r.user_id as "userId", u.account, g.shown as agent, r.market_id as "marketId",
  m.market_name as "marketName", r.network, r.address, r.memo, r.tx_hash as "txHash", r.tx_index as index,
  ${sameTransaction(scope)} as "sameTransaction", r.amount, r.fee, r.confirmations, r.source,
  r.state, r.remark, r.arrived_at as "arrivedAt", r.credited_at as "creditedAt",
  ${explorerOf('m.networks', 'r.network')} as explorer,
  r.created_at as "createdAt", r.updated_at as "updatedAt"`;

const base = userRows('recharge', 'r');
const { from } = base;

const sourceIn = (scope: Scope): ListSource => ({
  ...base,
  fields: fieldsIn(scope),
  ends: 'recharge',
  account: 'r.account_key',
  filters: {
    ...base.filters,
    source: 'r.source',
    address: 'r.address',
    txHash: 'r.tx_hash',
    creditedDay: (day) => isOnReportDay('r.credited_at', String(day)),
  },
  sort: { amount: 'r.amount' },
  counted: { ...counters.recharge, from: sql`recharge r`, user: 'r.user_id' },
  sums: { marketId: 'r.market_id', fields: { amount: 'r.amount' } },
});

export const listRecharges = defineList(calls.list, ({ scope }) => ({
  ...sourceIn(scope),
  where: inListScope(scope, 'r.agent_id'),
}));

/** The last recharges of one user. */
export const lastRecharges = (ctx: Pick<Ctx, 'db' | 'scope'>, userId: number, limit: number): Promise<RechargeRow[]> =>
  lastOfUser<RechargeRow>(sourceIn(ctx.scope), 'r')(ctx, userId, limit);

export type FoundRecharge = RechargeRow & {
  agentId: number;
  voucher: string;
  /** The operator who holds it; null if the server held it on arrival. */
  heldBy: number | null;
  /** Value of the amount now in USDT; null without a price. */
  valueNow: string | null;
  /** Time of that price, unix milliseconds. */
  pricedAt: number | null;
};

export async function findRecharge(ctx: Ctx, id: number): Promise<FoundRecharge | undefined> {
  const { rows } = await sql<FoundRecharge>`
    select ${fieldsIn(ctx.scope)}, r.agent_id as "agentId", r.voucher, r.held_by as "heldBy",
      value_of(r.market_id, r.amount) as "valueNow", usdt_price_at(r.market_id) as "pricedAt" from ${from}
    where r.id = ${id} and ${inScope(ctx.scope, 'r.agent_id')}`.execute(ctx.db);
  return rows[0];
}

export const openRecharges: OpenProbe = {
  what: 'recharge',
  query: (userId) => sql`select r.no, r.amount, m.market_name as market, r.state from recharge r
    join market m on m.id = r.market_id where r.user_id = ${userId} and r.state in (${literals(...openRechargeStates)}) order by r.id`,
  describe: ({ no, amount, market, state }) => `充值 ${no}（${amount} ${market}，${openLabel(rechargeStates, state)}）`,
};
