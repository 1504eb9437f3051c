import { literals } from '../../../database/literals.ts';
import { openFollowStates, followStates, FOLLOW } from '@hengtai/contract/trading/follow/facts';
import { follow as calls, followActionStates, followEventStates } from '@hengtai/contract/trading/follow/calls';
import type { FollowDetail, FollowRow } from '@hengtai/contract/trading/follow/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import {
  type OperatorRequest,
  type OrderKind,
  lastCommandState,
  startCommand,
} from '../../../gateway/order-command.store.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';

/** A list row plus the agent of the user. */
export interface FollowRecord extends FollowRow {
  agentId: number;
}

export const followOrders: OrderKind = {
  table: 'follow',
  refType: 'follow',
  pending: [FOLLOW.ending],
  restored: sql`state = ${FOLLOW.running}`,
};

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.signal_id as "signalId", s.title as "signalTitle",
  o.market_id as "marketId", m.market_name as "marketName", s.side, o.amount,
  case when o.state = ${sql.lit(FOLLOW.ended)} then o.profit end as profit, o.auto, o.state, o.by_account as "by", o.reason,
  ${lastCommandState('follow')} as command, o.closed_at as "closedAt", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

const base = userRows('follow', 'o');
const from = sql`${base.from} left join signal s on s.id = o.signal_id`;

const source: ListSource = {
  ...base,
  fields,
  from,
  filters: { ...base.filters, signalId: 'o.signal_id', auto: 'o.auto' },
  sort: { amount: 'o.amount', profit: 'o.profit', closedAt: 'o.closed_at' },
  sums: { marketId: 'o.coin_id', fields: { amount: 'o.amount', profit: 'o.profit' } },
};

export const listFollows = defineList(calls.list, ({ scope }) => ({ ...source, where: inScope(scope, 'o.agent_id') }));

/** The latest follows of one user, in any state. */
export const lastFollows = lastOfUser<FollowRow>(source, 'o');

export async function findFollow(ctx: Ctx, id: number): Promise<FollowRecord | undefined> {
  const { rows } = await sql<FollowRecord>`select ${fields}, o.agent_id as "agentId" from ${from}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(ctx.db);
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

export const startClose = (ctx: Ctx, id: number, request: OperatorRequest) =>
  startCommand(ctx, followOrders, id, { from: followActionStates.close, to: FOLLOW.ending, ...request });

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
    select o.id, o.user_id as "userId", o.agent_id as "agentId", o.coin_id as "coinId", o.amount, o.state
    from follow o where o.no = ${no} for no key update`.execute(db);
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

export const openFollows: OpenProbe = {
  what: 'follow',
  query: (userId) => sql`select o.no, o.amount, s.title, o.state from follow o
    join signal s on s.id = o.signal_id where o.user_id = ${userId} and o.state in (${literals(...openFollowStates)}) order by o.id`,
  describe: ({ no, amount, title, state }) =>
    `跟单 ${no}（${title}，${amount} USDT，${openLabel(followStates, state)}）`,
};
