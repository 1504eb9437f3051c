import { type IeoState, type IeoType, ieoTypes, ieo as calls } from '@hengtai/contract/trading/ieo/calls';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import type { InputOf } from '@hengtai/contract/wire/endpoint';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { isOperator } from '../../../books/lists/filter.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import { movedMoney, notificationInsert } from '../../../actions/notification.store.ts';
import { refuseField } from '../../../app/refuse.ts';
import type { OpenProbe } from '../../people/user/user-open.store.ts';

/** A list row plus the agent of the user and the payment asset. */
export interface IeoRecord extends IeoRow {
  agentId: number;
  payMarketId: number;
}

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.market_id as "marketId",
  m.market_name as "marketName", o.price, o.amount, o.pay, o.state, o.reason, o.by_account as "by",
  o.reviewed_at as "reviewedAt", o.second_by as "secondBy", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

const recordFields = sql`o.agent_id as "agentId", (select s.id from market s where s.market_name = ${SETTLEMENT}) as "payMarketId"`;

const base = userRows('ieo', 'o');
const { from } = base;

/** Literals instead of parameters, so that the planner can use the partial index of waiting rows. */
const typeConditions: Readonly<Record<IeoType, RawBuilder<boolean>>> = {
  review: sql<boolean>`o.state = ${sql.lit(IEO.waiting)}`,
  history: sql<boolean>`o.state <> ${sql.lit(IEO.waiting)}`,
};

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>, condition: RawBuilder<boolean> = sql<boolean>`true`): ListSource => ({
  ...base,
  fields,
  filters: { ...base.filters, by: isOperator('o.by_account') },
  // The filter `type` chooses the list, see listFor.
  sort: { amount: 'o.amount', pay: 'o.pay', reviewedAt: 'o.reviewed_at' },
  sums: { marketId: 'o.market_id', fields: { amount: 'o.amount', pay: 'o.pay' } },
  where: sql<boolean>`${condition} and ${inScope(scope, 'o.agent_id')}`,
});

const defineFor = (type: IeoType) => defineList(calls.list, (ctx) => sourceFor(ctx, typeConditions[type]));
const lists = { review: defineFor('review'), history: defineFor('history') };

/** @throws Refused 422 for an unknown type */
function listFor({ type = 'history' }: InputOf<typeof calls.list>) {
  if (!Object.hasOwn(ieoTypes, type)) throw refuseField('type', '格式不正确');
  return lists[type as IeoType];
}

/** Waiting or decided subscriptions, by the filter `type`. */
export const listIeos: (typeof lists)['history'] = Object.assign(
  (ctx: Ctx, input: InputOf<typeof calls.list>) => listFor(input)(ctx, input),
  {
    readAll: async (ctx: Ctx, input: InputOf<typeof calls.list>, knownTotal?: number) =>
      listFor(input).readAll(ctx, input, knownTotal),
  },
);

/** The latest subscriptions of one user, in any state. */
export const lastIeos = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<IeoRow>(ctx.db, sourceFor(ctx), sql<boolean>`o.user_id = ${userId}`, limit);

export const fetchOtherIeos = (ctx: Ctx, { id, userId }: IeoRecord, limit: number) =>
  lastRows<IeoRow>(ctx.db, sourceFor(ctx), sql<boolean>`o.user_id = ${userId} and o.id <> ${id}`, limit);

export async function findIeo(ctx: Ctx, id: number): Promise<IeoRecord | undefined> {
  const { rows } = await sql<IeoRecord>`
    select ${fields}, ${recordFields} from ${from} where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Finds a subscription by the number of the platform, for events. Has no scope filter. */
export async function findIeoByNo(db: Db, no: string): Promise<IeoRecord | undefined> {
  const { rows } = await sql<IeoRecord>`select ${fields}, ${recordFields} from ${from} where o.no = ${no}`.execute(db);
  return rows[0];
}

export interface NewIeo {
  no: string;
  userId: number;
  agentId: number;
  marketId: number;
  price: string;
  amount: string;
  pay: string;
  state: number;
  reason?: string | undefined;
  by?: string | undefined;
  reviewedAt?: number | undefined;
  secondBy?: string | undefined;
  createdAt: number;
  /** Time of the current state; defaults to now. */
  updatedAt?: number;
  now: number;
}

/** @returns undefined if the number exists */
export async function insertIeo(db: Db, row: NewIeo): Promise<number | undefined> {
  const isWaiting = row.state === IEO.waiting;
  const { rows } = await sql<{ id: number }>`${prepared}
    with moved as (insert into ieo (no, user_id, agent_id, market_id, price, amount, pay, state, reason, by_account,
      reviewed_at, second_by, created_at, recorded_at, updated_at)
    values (${row.no}, ${row.userId}, ${row.agentId}, ${row.marketId}, ${row.price}, ${row.amount}, ${row.pay},
      ${row.state}, ${row.reason ?? ''}, ${row.by ?? null}, ${row.reviewedAt ?? null}::bigint, ${row.secondBy ?? null},
      ${row.createdAt}, ${row.now}, ${row.updatedAt ?? row.now})
    on conflict (no) do nothing returning ${movedMoney}),
    notified as (${isWaiting ? notificationInsert('ieo.ordered', row.createdAt, row.now) : sql`select 1`})
    select id from moved`.execute(db);
  return rows[0]?.id;
}

/** The notification for each final state. */
const notificationTypes: Readonly<Record<Exclude<IeoState, 0>, NotificationType>> = {
  1: 'ieo.passed',
  2: 'ieo.rejected',
  3: 'ieo.cancelled',
};

export interface IeoMove {
  from: readonly number[];
  to: Exclude<IeoState, 0>;
  reason?: string;
  /** The operator who decided; undefined if the user cancelled. */
  by?: string;
  secondBy?: string | undefined;
  /** Time of the event, unix milliseconds; defaults to now. */
  at?: number;
  now: number;
}

/**
 * Ends a subscription if it is in one of the states `from`. This conditional write decides every race.
 *
 * @returns whether this call ended it
 */
export async function moveIeo(db: Db, id: number, move: IeoMove): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update ieo set state = ${move.to}, reason = ${move.reason ?? ''}, by_account = ${move.by ?? null},
      reviewed_at = ${move.by === undefined ? null : move.now}::bigint, second_by = ${move.secondBy ?? null},
      updated_at = ${move.now}
    where id = ${id} and state = any(${[...move.from]}::int[]) returning ${movedMoney}),
    notified as (${notificationInsert(notificationTypes[move.to], move.at ?? move.now, move.now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** Like moveIeo, but only within the scope of the operator: the user may have moved to another agent meanwhile. */
export async function decideIeo(ctx: Ctx, id: number, move: Omit<IeoMove, 'now' | 'at'>): Promise<boolean> {
  const { rows } = await sql`select 1 from ieo o where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}
    for no key update`.execute(ctx.db);
  return rows.length === 1 && moveIeo(ctx.db, id, { ...move, now: ctx.now });
}

export const openIeos: OpenProbe = {
  what: 'ieo',
  query: (userId) => sql`select o.no, o.amount, m.market_name as market from ieo o
    join market m on m.id = o.market_id where o.user_id = ${userId} and o.state = ${sql.lit(IEO.waiting)} order by o.id`,
  describe: ({ no, amount, market }) => `待审核认购 ${no}（${amount} ${market}）`,
};
