import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { reasonFields } from '@hengtai/contract/wire/reason-code';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import type { BinaryContractMoney } from './binary-contract.rules.ts';

/**
 * Locks contracts whose opening tick is recorded but not yet stored with them. Contracts that another transaction locks are
 * skipped. Contracts to void for a late opening tick are found by `lockDue`.
 */
export async function lockUnopened(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select w.id from market m cross join lateral (
      select c.id from second_contract c
      where c.market_id = m.id and c.state = ${sql.lit(BINARY_CONTRACT.open)} and c.open_tick is null and c.created_at <= m.price_at
      order by c.created_at limit ${limit} for no key update skip locked) w
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** @returns the number of contracts that got their opening price */
export async function recordOpeningTicks(db: Db, ids: readonly number[], now: number): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ n: number }>`select open_seconds(${[...ids]}::bigint[], ${now}) as n`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Locks contracts that can be settled because their market has a tick at or after the expiry, oldest first per market.
 *
 * @param excludedIds contracts whose settlement failed recently
 */
export async function lockDue(db: Db, limit: number, excludedIds: readonly number[] = []): Promise<number[]> {
  const isNotExcluded = sql`c.id <> all(${[...excludedIds]}::bigint[])`;
  const { rows } = await sql<{ id: number }>`
    select w.id from market m cross join lateral (
      select c.id from second_contract c
      where c.market_id = m.id and c.state = ${sql.lit(BINARY_CONTRACT.open)} and c.settle_at <= m.price_at and ${isNotExcluded}
      order by c.settle_at limit ${limit} for no key update skip locked) w
    limit ${limit}`.execute(db);
  if (rows.length > 0) return rows.map(({ id }) => id);
  // Contracts without an opening price after the tolerance are voided before their expiry.
  const { rows: unopened } = await sql<{ id: number }>`
    select w.id from market m cross join lateral (
      select c.id from second_contract c
      where c.market_id = m.id and c.state = ${sql.lit(BINARY_CONTRACT.open)} and c.open_tick is null and c.created_at + c.tolerance < m.price_at and ${isNotExcluded}
      order by c.created_at limit ${limit} for no key update skip locked) w
    limit ${limit}`.execute(db);
  return unopened.map(({ id }) => id);
}

export interface EndedContract extends BinaryContractMoney {
  id: number;
  no: string;
  account: string;
  marketId: number;
  state: number;
  type: number;
  profit: string | null;
  reason: string;
  settledAt: number;
  openPrice: string | null;
  openTickAt: number | null;
  closePrice: string | null;
  closeTickAt: number | null;
}

/** Settles the contracts whose closing tick is recorded, by the database function, and returns those that ended. */
export async function settleContracts(db: Db, ids: readonly number[], now: number): Promise<EndedContract[]> {
  if (ids.length === 0) return [];
  const { rows: done } = await sql<{ id: number }>`
    select s.id from settle_seconds(${[...ids]}::bigint[], ${now}) s`.execute(db);
  if (done.length === 0) return [];
  const { rows } = await sql<EndedContract>`
    select c.id, c.no, c.user_id as "userId", c.agent_id as "agentId", u.account, c.market_id as "marketId", s.id as "usdtId",
      c.amount, c.payout, c.state, c.type, c.profit, c.reason, c.settled_at as "settledAt", c.open_price as "openPrice",
      c.open_tick_at as "openTickAt", c.close_price as "closePrice", c.close_tick_at as "closeTickAt"
    from second_contract c
    join users u on u.id = c.user_id
    join market s on s.market_name = ${SETTLEMENT}
    where c.id = any(${done.map(({ id }) => id)}::bigint[]) order by c.settle_at, c.id`.execute(db);
  return rows;
}

/** Releases the holds of these contracts in full. Returns false if one of them has no unreleased hold. */
export async function releaseStakes(db: Db, ids: readonly number[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with held as (
      select id from hold where ref_type = 'second' and ref_id = any(${[...ids]}::bigint[]) and released = 0
      order by id for update)
    update hold h set released = h.amount from held where h.id = held.id`.execute(db);
  return numAffectedRows === BigInt(ids.length);
}

/** Enqueues the result of each contract and the new balance of each user, in one statement each. */
export async function notifyPlatform(db: Db, ended: readonly EndedContract[], now: number): Promise<void> {
  const commands = ended.map((one) =>
    one.state === BINARY_CONTRACT.settled
      ? {
          type: 'second.settled',
          data: {
            no: one.no,
            result: one.type,
            profit: one.profit,
            openTick: { price: one.openPrice, at: one.openTickAt },
            closeTick: { price: one.closePrice, at: one.closeTickAt },
          },
        }
      : { type: 'second.voided', data: { no: one.no, ...reasonFields(one.reason) } },
  );
  await sql`
    insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
    select x.type, 'second', x.id, x.data, ${now}::bigint, ${now}::bigint
    from unnest(${commands.map(({ type }) => type)}::text[], ${ended.map(({ id }) => id)}::bigint[],
      ${commands.map(({ data }) => JSON.stringify(data))}::jsonb[]) with ordinality as x(type, id, data, n) order by x.n`.execute(
    db,
  );
  const users = [...new Set(ended.map(({ userId }) => userId))];
  const [coin] = ended.map(({ usdtId }) => usdtId);
  await sql`
    insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
    select 'balance.changed', 'entry', last.entry, jsonb_build_object('account', u.account, 'market', m.market_name,
        'platform', ${PLATFORM.second}::int, 'active', b.active, 'frozen', b.frozen, 'entry', last.entry), ${now}::bigint, ${now}::bigint
    from unnest(${users}::bigint[]) as w(id)
    join users u on u.id = w.id
    join market m on m.id = ${coin ?? 0}
    cross join lateral (
      select trim_scale(coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0))::text as active,
        trim_scale(coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0))::text as frozen
      from account a where a.user_id = u.id and a.market_id = m.id and a.platform = ${PLATFORM.second}) b
    cross join lateral (
      select e.id as entry from account a join entry e on e.account_id = a.id
      where a.user_id = u.id and a.market_id = m.id and a.platform = ${PLATFORM.second}
      order by e.id desc limit 1) last`.execute(db);
}

/** Notifies operators of contracts that the settlement voided: one notification per agent, market and batch. */
export async function notifyVoided(db: Db, ended: readonly EndedContract[], now: number): Promise<void> {
  const voided = ended.filter(({ state }) => state === BINARY_CONTRACT.voided);
  if (voided.length === 0) return;
  await sql`
    insert into notice (type, noun, ref_type, ref_id, agent_id, market_id, detail, created_at, recorded_at)
    select 'second.voided', 'second', 'second', min(x.id), c.agent_id, c.market_id,
      '缺少行情，' || count(*) || ' 笔', ${now}::bigint, ${now}::bigint
    from unnest(${voided.map(({ id }) => id)}::bigint[]) as x(id) join second_contract c on c.id = x.id
    group by c.agent_id, c.market_id`.execute(db);
}

/** Contracts that ended while an approval to void them is open. */
export async function findObsoleteRequests(db: Db): Promise<{ id: number; state: number; endedAt: number }[]> {
  const { rows } = await sql<{ id: number; state: number; endedAt: number }>`
    select c.id, c.state, c.updated_at as "endedAt" from approval a join second_contract c on c.id = a.target_id
    where a.target_type = 'second' and a.state = ${sql.lit(APPROVAL.open)} and c.state <> ${sql.lit(BINARY_CONTRACT.open)} limit 100`.execute(
    db,
  );
  return rows;
}
