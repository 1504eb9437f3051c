import { followStates } from '@hengtai/contract/follow.facts';
import { FOLLOW, follow as calls, followActionStates, followEventStates } from '@hengtai/contract/follow';
import type { FollowDetail, FollowRow } from '@hengtai/contract/follow.schema';
import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { type Db, prepared } from '../../postgres/connect.ts';
import { defineList, lastRows } from '../../lists/list.ts';
import type { ListSource } from '../../lists/source.ts';
import { inScope } from '../../postgres/scope.ts';
import { type OpenProbe, openLabel } from '../user/user-open.store.ts';

/** A list row plus the agent of the user. */
export interface FollowRecord extends FollowRow {
  agentId: number;
}

/** State of the last close command. Only follows that an operator acted on are looked up. */
const command = sql`case when f.by_account is null then null else (select c.state from command c
  where c.ref_type = 'follow' and c.ref_id = f.id order by c.id desc limit 1) end`;

const fields = sql`
  f.id, f.no, f.user_id as "userId", u.account, g.shown as agent, f.signal_id as "signalId", s.title as "signalTitle",
  f.market_id as "marketId", m.market_name as "marketName", s.side, f.amount,
  case when f.state = ${sql.lit(FOLLOW.ended)} then f.profit end as profit, f.auto, f.state, f.by_account as "by", f.reason,
  ${command} as command, f.closed_at as "closedAt", f.created_at as "createdAt", f.updated_at as "updatedAt"`;

const from = sql`follow f
  left join users u on u.id = f.user_id
  left join agent g on g.id = f.agent_id
  left join signal s on s.id = f.signal_id
  left join market m on m.id = f.market_id`;

const source: ListSource = {
  fields,
  from,
  id: 'f.id',
  createdAt: 'f.created_at',
  filters: {
    account: 'u.account_key',
    signalId: 'f.signal_id',
    state: 'f.state',
    id: 'f.id',
    marketId: 'f.market_id',
    auto: 'f.auto',
    agent: 'f.agent_id',
    agentRoot: 'f.agent_id',
    userId: 'f.user_id',
    no: 'f.no',
  },
  sort: { amount: 'f.amount', profit: 'f.profit', closedAt: 'f.closed_at' },
  sums: { marketId: 'f.coin_id', fields: { amount: 'f.amount', profit: 'f.profit' } },
};

export const listFollows = defineList(calls.list, ({ scope }) => ({ ...source, where: inScope(scope, 'f.agent_id') }));

/** The latest follows of one user, in any state. */
export const lastFollows = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<FollowRow>(
    ctx.db,
    { ...source, where: inScope(ctx.scope, 'f.agent_id') },
    sql`f.user_id = ${userId}`,
    limit,
  );

export async function findFollow(ctx: Ctx, id: number): Promise<FollowRecord | undefined> {
  const { rows } = await sql<FollowRecord>`select ${fields}, f.agent_id as "agentId" from ${from}
    where f.id = ${id} and ${inScope(ctx.scope, 'f.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** The signal of a follow. The caller has checked the scope. */
export async function fetchSignal({ db }: Pick<Ctx, 'db'>, signalId: number): Promise<FollowDetail['signal']> {
  const { rows } = await sql<FollowDetail['signal']>`
    select id, title, state, leverage, price, take_profit as "takeProfit", stop_loss as "stopLoss", end_at as "endAt"
    from signal where id = ${signalId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`Signal ${signalId} does not exist.`);
  return row;
}

/**
 * Sets a follow to 结束中, also if its last close command timed out without an answer (command state 4).
 *
 * @returns undefined if the follow is in another state
 */
export async function startClose(
  ctx: Ctx,
  id: number,
  request: { by: string; reason: string },
): Promise<{ no: string } | undefined> {
  const { rows } = await sql<{ no: string }>`
    update follow f set state = ${FOLLOW.ending}, by_account = ${request.by}, reason = ${request.reason}, updated_at = ${ctx.now}
    where f.id = ${id} and ${inScope(ctx.scope, 'f.agent_id')} and (f.state = any(${[...followActionStates.close]}::int[])
      or (f.state = ${FOLLOW.ending} and ${command} = 4))
    returning f.no`.execute(ctx.db);
  return rows[0];
}

/** The fields of a follow that events need. */
export interface EventFollow {
  id: number;
  userId: number;
  agentId: number;
  coinId: number;
  amount: string;
  state: number;
}

/** Locks a follow until the transaction ends, so that it is ended once. */
export async function lockFollow(db: Db, no: string): Promise<EventFollow | undefined> {
  const { rows } = await sql<EventFollow>`${prepared}
    select f.id, f.user_id as "userId", f.agent_id as "agentId", f.coin_id as "coinId", f.amount, f.state
    from follow f where f.no = ${no} for no key update`.execute(db);
  return rows[0];
}

export interface NewFollow {
  no: string;
  userId: number;
  agentId: number;
  signalId: number;
  marketId: number;
  coinId: number;
  amount: string;
  auto: number;
  createdAt: number;
  now: number;
}

/** @returns undefined if the number exists */
export async function insertFollow(db: Db, row: NewFollow): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into follow (no, user_id, agent_id, signal_id, market_id, coin_id, amount, auto, state, created_at, recorded_at,
      updated_at)
    values (${row.no}, ${row.userId}, ${row.agentId}, ${row.signalId}, ${row.marketId}, ${row.coinId}, ${row.amount}::numeric,
      ${row.auto}, ${FOLLOW.running}, ${row.createdAt}, ${row.now}, ${row.now})
    on conflict (no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Sets a follow to ended with its profit, negative for a loss. Returns false if it had ended. */
export async function endFollow(db: Db, id: number, profit: string, at: number, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
    update follow set state = ${FOLLOW.ended}, profit = ${profit}::numeric, closed_at = greatest(${at}, created_at),
      updated_at = ${now}
    where id = ${id} and state = any(${[...followEventStates.closed]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Restores a follow after a failed close command, unless a later command exists.
 *
 * @returns undefined if nothing was restored
 */
export async function restoreFollow(
  db: Db,
  id: number,
  commandId: number,
  now: number,
): Promise<{ userId: number; agentId: number } | undefined> {
  const { rows } = await sql<{ userId: number; agentId: number }>`
    update follow f set state = ${FOLLOW.running}, updated_at = ${now}
    where f.id = ${id} and f.state = ${FOLLOW.ending} and not exists (
      select from command c where c.ref_type = 'follow' and c.ref_id = f.id and c.id > ${commandId})
    returning f.user_id as "userId", f.agent_id as "agentId"`.execute(db);
  return rows[0];
}

export const openFollows: OpenProbe = {
  what: 'follow',
  query: (userId) => sql`select f.no, f.amount, s.title, f.state from follow f
    join signal s on s.id = f.signal_id where f.user_id = ${userId} and f.state in (1, 3) order by f.id`,
  describe: ({ no, amount, title, state }) =>
    `跟单 ${no}（${title}，${amount} USDT，${openLabel(followStates, state)}）`,
};
