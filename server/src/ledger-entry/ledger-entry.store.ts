import { ledgerEntry as calls } from '@hengtai/contract/ledger-entry';
import type { LedgerEntryRow } from '@hengtai/contract/ledger-entry.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { type ListSource, defineList, lastRows } from '../db/list.ts';
import { countsChanged, imageOf, rolled } from '../db/rollup.ts';
import { inListScope, isVisible } from '../db/scope.ts';

/** Marked entries with the columns that the side table copies from them for its filters. */
const MARKED_ENTRIES = sql`(select tableoid, entry_id as id, user_id, agent_id, market_id, platform, bucket, type, amount, state, created_at
  from fund_check) e`;

/** Entries of users only; the operator is hidden outside the reader's scope. */
const sourceFor = ({ scope }: Ctx): ListSource => ({
  fields: sql`
    e.id, e.user_id as "userId", u.account, g.shown as agent, e.market_id as "marketId", m.market_name as "marketName",
    e.platform, e.bucket, e.type, e.amount, e.balance, e.ref_type as "refType", e.ref_id as "refId", e.remark,
    coalesce(c.state, 0) as state, o.account as operator, e.created_at as "createdAt",
    coalesce(c.updated_at, e.recorded_at) as "updatedAt"`,
  from: sql`entry e
    left join users u on u.id = e.user_id
    left join agent g on g.id = e.agent_id
    left join market m on m.id = e.market_id
    left join fund_check c on c.entry_id = e.id
    left join agent o on o.id = e.operator_id and ${isVisible(scope, 'o.id')}`,
  id: 'e.id',
  createdAt: 'e.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'e.agent_id',
    agentRoot: 'e.agent_id',
    type: 'e.type',
    state: sql`coalesce(c.state, 0)`,
    marketId: 'e.market_id',
    platform: 'e.platform',
    bucket: 'e.bucket',
    userId: 'e.user_id',
    id: 'e.id',
    refId: 'e.ref_id',
  },
  rollup: {
    noun: rolled.fund,
    from: sql`entry e`,
    counted: sql<boolean>`e.user_id is not null`,
    user: 'e.user_id',
    sideTable: { table: 'fund_check c', key: 'c.entry_id', rows: MARKED_ENTRIES, filters: { state: 'e.state' } },
  },
  sums: { marketId: 'e.market_id', fields: { amount: 'e.amount' } },
  where: sql<boolean>`e.user_id is not null and ${inListScope(scope, 'e.agent_id')}`,
});

export const listLedgerEntries = defineList(calls.record, sourceFor);

/** The last entries of one user. */
export const lastLedgerEntries = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<LedgerEntryRow>(ctx.db, sourceFor(ctx), sql`e.user_id = ${userId}`, limit);

export async function findLedgerEntry(
  ctx: Ctx,
  id: number,
): Promise<(LedgerEntryRow & { agentId: number }) | undefined> {
  const source = sourceFor(ctx);
  const { rows } = await sql<LedgerEntryRow & { agentId: number }>`
    select ${source.fields}, e.agent_id as "agentId" from ${source.from}
    where ${source.where ?? sql`true`} and e.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/**
 * Sets the reconciliation state of an entry if it is still one of `from`.
 *
 * @returns whether this call set it
 */
export async function markLedgerEntry(
  db: Db,
  mark: { id: number; from: readonly number[]; to: number; operatorId: number; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    with marked as (
      insert into fund_check (entry_id, user_id, agent_id, state, operator_id, updated_at,
        market_id, platform, bucket, type, amount, created_at)
      select e.id, u.id, u.agent_id, ${mark.to}, ${mark.operatorId}, ${mark.now},
        e.market_id, e.platform, e.bucket, e.type, e.amount, e.created_at
      from entry e join users u on u.id = e.user_id
      where e.id = ${mark.id} and ${mark.from.includes(0)} for key share of u
      on conflict (entry_id) do nothing returning entry_id, agent_id, state, 0 as old_state
    ), ${UPDATE_COUNTS}
    select 1 from marked`.execute(db);
  if (rows.length === 1) return true;
  // Locks the user too, because a move of the user changes the agent under which the entry is counted.
  const updated = await sql`
    with previous as (
      select c.entry_id, c.state, u.agent_id from fund_check c join users u on u.id = c.user_id
      where c.entry_id = ${mark.id} for no key update of c for key share of u
    ),
    marked as (
      update fund_check c set state = ${mark.to}, operator_id = ${mark.operatorId}, updated_at = ${mark.now}
      from previous p where c.entry_id = p.entry_id and p.state = any(${[...mark.from]}::int[])
      returning c.entry_id, p.agent_id, c.state, p.state as old_state
    ), ${UPDATE_COUNTS}
    select 1 from marked`.execute(db);
  return updated.rows.length === 1;
}

/** The marked entry with the current agent of its user. */
const MARKED_ENTRY = sql`(select e.id, k.agent_id, e.user_id, e.type, e.platform, e.bucket, e.market_id, e.amount, e.created_at
  from marked k join entry e on e.id = k.entry_id) r`;
/** Moves the entry in the stored counts from its old state to its new state. */
const UPDATE_COUNTS = sql`
  moved as (
    select x.*, o.* from (select ${imageOf(rolled.fund)} from ${MARKED_ENTRY} cross join (select state from marked) rc) x
    cross join (select ${imageOf(rolled.fund, 'o')} from ${MARKED_ENTRY} cross join (select old_state as state from marked) rc) o
  ),
  rolled as (${countsChanged(rolled.fund)})`;
