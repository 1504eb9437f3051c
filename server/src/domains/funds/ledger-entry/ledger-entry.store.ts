import { ledgerEntry as calls } from '@hengtai/contract/funds/ledger-entry/calls';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db, Scope } from '../../../database/connect.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource, Within } from '../../../books/lists/source.ts';
import { counters } from '../../../books/lists/counters.ts';
import { inListScope, inScope, isVisible } from '../../../database/scope.ts';

/** An entry without a mark has state 0. */
const hasState = (state: string | number, within: Within): RawBuilder<boolean> => {
  const marks = sql`select from fund_check f where f.entry_id = e.id and ${within(sql`f.entry_id`)}`;
  return Number(state) === 0
    ? sql<boolean>`not exists (${marks} and f.state <> 0)`
    : sql<boolean>`exists (${marks} and f.state = ${state})`;
};

/** The entries of a corporate action. */
const hasBatch = (scope: Scope) => (batch: string | number) =>
  sql<boolean>`e.ref_type = 'corporate' and e.ref_id = any(array(
  select a.id from corporate_action a where a.batch = ${batch} and ${inListScope(scope, 'a.agent_id')}))`;

/** The entries that an operator of the reader's scope made. */
const isOfOperator = (scope: Scope) => (account: string | number) =>
  sql<boolean>`e.operator_id = any(array(
  select x.id from agent x where x.account_key = ${String(account).toLowerCase()} and ${inScope(scope, 'x.id')}))`;

/** Sums of the entries `e`: the change, and what moved in each direction. */
export const entrySums = {
  fields: { amount: 'e.amount' },
  uncounted: {
    in: sql`coalesce(sum(e.amount) filter (where e.amount > 0), 0)`,
    out: sql`coalesce(-sum(e.amount) filter (where e.amount < 0), 0)`,
  },
};

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
    state: hasState,
    marketId: 'e.market_id',
    platform: 'e.platform',
    bucket: 'e.bucket',
    userId: 'e.user_id',
    id: 'e.id',
    refId: 'e.ref_id',
    operator: isOfOperator(scope),
    batch: hasBatch(scope),
  },
  counted: {
    ...counters.entry,
    from: sql`entry e`,
    user: 'e.user_id',
  },
  sums: { marketId: 'e.market_id', ...entrySums },
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
      on conflict (entry_id) do nothing returning 1
    )
    select 1 from marked`.execute(db);
  if (rows.length === 1) return true;
  const { numAffectedRows } = await sql`
    update fund_check set state = ${mark.to}, operator_id = ${mark.operatorId}, updated_at = ${mark.now}
    where entry_id = ${mark.id} and state = any(${[...mark.from]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}
