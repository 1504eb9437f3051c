import { ABILITY } from '@hengtai/contract/ability';
import { KYC, type KycSide, type KycState, kyc as calls, maskIdNumber, maskName } from '@hengtai/contract/kyc';
import type { KycDetail, KycRow } from '@hengtai/contract/kyc.schema';
import { API_BASE, type InputOf } from '@hengtai/contract/endpoint';
import type { NotificationType } from '@hengtai/contract/notify';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';
import { type ListSource, defineList, lastRows } from '../db/list.ts';
import { beforeOf, bothOf, countsChanged, rolled } from '../db/rollup.ts';
import { inScope } from '../db/scope.ts';
import { rowsAs, soon } from '../db/soon.ts';
import { reject } from '../gateway/rejected.ts';
import { notificationInsert, notificationStepsInsert } from '../notify/notification.store.ts';

/** A submission as the server works with it: the clear row, and whose it is. */
export interface KycRecord extends KycRow {
  agentId: number;
}

/** Whether this operator is shown names, numbers and pictures. */
export const seesClear = (ctx: Ctx): boolean => can(ctx.operator, ABILITY.identity);

/** Where a picture is to be had: by a call within a session, or at the platform. */
function picture(side: KycSide): RawBuilder<unknown> {
  const column = sql.ref(`a.${side}`);
  const call = `${API_BASE}${calls.image.path}?id=`;
  return sql`case when substr(${column}, 1, 5) = 'data:' then ${call} || a.id || ${`&side=${side}`}
    else ${column} end as ${sql.ref(side)}`;
}

const fields = sql`
  a.id, a.user_id as "userId", u.account, g.shown as agent, a.name, a.country, a.id_type as "idType",
  a.id_number as "idNumber", ${picture('front')}, ${picture('back')}, ${picture('holding')}, a.level, a.state, a.reason,
  a.by_account as "by", a.reviewed_at as "reviewedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const from = sql`auth a left join users u on u.id = a.user_id left join agent g on g.id = a.agent_id`;

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({
  fields,
  from,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'a.agent_id',
    agentRoot: 'a.agent_id',
    state: 'a.state',
    level: 'a.level',
    id: 'a.id',
    userId: 'a.user_id',
    idType: 'a.id_type',
    country: 'a.country',
  },
  sort: { reviewedAt: 'a.reviewed_at' },
  where: inScope(scope, 'a.agent_id'),
});

/** What is left of a row for everybody who sees the account: neither name nor number, nor a way to a picture of them. */
export const masked = <R extends KycRow>(row: R): R => ({
  ...row,
  name: maskName(row.name),
  idNumber: maskIdNumber(row.idNumber),
  front: '',
  back: '',
  holding: '',
});

const clearList = defineList(calls.list, sourceFor);
const maskedList = defineList(calls.list, sourceFor, { row: masked });

/** Clear for holders of the ability and masked for all others; what leaves the house as a file is masked for everybody. */
export const listKycSubmissions: typeof clearList = Object.assign(
  (ctx: Ctx, input: InputOf<typeof calls.list>) => (seesClear(ctx) ? clearList : maskedList)(ctx, input),
  { whole: maskedList.whole },
);

/** The clear row inside the operator's tree; who shows it masks it first. */
export async function findKycSubmission(ctx: Ctx, id: number): Promise<KycRecord | undefined> {
  const { rows } = await sql<KycRecord>`
    select ${fields}, a.agent_id as "agentId" from ${from}
    where a.id = ${id} and ${inScope(ctx.scope, 'a.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** What else the user has submitted, the latest first. */
export async function otherKycSubmissions(ctx: Ctx, { id, userId }: KycRecord, limit: number): Promise<KycRow[]> {
  const condition = sql<boolean>`a.user_id = ${userId} and a.id <> ${id}`;
  const rows = await lastRows<KycRow>(ctx.db, sourceFor(ctx), condition, limit);
  return seesClear(ctx) ? rows : rows.map(masked);
}

/** Other users of the own tree with the same document number, each by the last submission that had it. */
export async function sameNumber(ctx: Ctx, { id, userId }: KycRecord, limit: number): Promise<KycDetail['same']> {
  const { rows } = await sql<KycDetail['same']['list'][number] & { users: number }>`
    select s.*, count(*) over () as users from (
      select distinct on (a.user_id) a.user_id as "userId", u.account, u.state, a.id as "authId", a.state as "authState",
        a.created_at as "createdAt"
      from auth a join users u on u.id = a.user_id
      where a.id_key = (select o.id_key from auth o where o.id = ${id}) and a.user_id <> ${userId}
        and ${inScope(ctx.scope, 'a.agent_id')}
      order by a.user_id, a.id desc
    ) s order by "createdAt" desc, "authId" desc limit ${limit}`.execute(ctx.db);
  return { users: rows[0]?.users ?? 0, list: rows.map(({ users: _users, ...row }) => row) };
}

/** The picture as it was submitted; undefined where the row is not in the own tree, empty where there is no such picture. */
export async function findImage(
  ctx: Ctx,
  id: number,
  side: KycSide,
): Promise<{ picture: string; userId: number; account: string; agentId: number } | undefined> {
  const { rows } = await sql<{ picture: string; userId: number; account: string; agentId: number }>`
    select ${sql.ref(`a.${side}`)} as picture, a.user_id as "userId", u.account, a.agent_id as "agentId"
    from auth a join users u on u.id = a.user_id
    where a.id = ${id} and ${inScope(ctx.scope, 'a.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/**
 * Notes that the operator looks at a review's pictures.
 *
 * @returns whether it is a new look: none was noted in the last `againMs`
 */
export async function recordView(ctx: Ctx, submissionId: number, againMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into auth_look (operator_id, auth_id, looked_at) values (${ctx.operator.id}, ${submissionId}, ${ctx.now})
    on conflict (operator_id, auth_id) do update set looked_at = excluded.looked_at
    where auth_look.looked_at <= excluded.looked_at - ${againMs}::bigint returning 1`.execute(ctx.db);
  return rows.length === 1;
}

const movedKycSubmission = sql`
  id, user_id, agent_id, null::bigint as operator_id, null::bigint as market_id, null::numeric as amount, state,
  ''::text as detail`;

export interface NewKycSubmission {
  userId: number;
  agentId: number;
  name: string;
  country: string;
  idType: number;
  idNumber: string;
  level: number;
  front: string;
  back: string;
  holding: string;
  state: number;
  reason?: string | undefined;
  by?: string | undefined;
  reviewedAt?: number | undefined;
  createdAt: number;
  updatedAt?: number;
  now: number;
}

const kycTypes = {
  userId: 'bigint',
  agentId: 'bigint',
  name: 'text',
  country: 'text',
  idType: 'int',
  idNumber: 'text',
  level: 'int',
  front: 'text',
  back: 'text',
  holding: 'text',
  state: 'int',
  reason: 'text',
  by: 'text',
  reviewedAt: 'bigint',
  createdAt: 'bigint',
  updatedAt: 'bigint',
  now: 'bigint',
} as const;
type KycSubmissionToWrite = Record<keyof typeof kycTypes, unknown>;

/** @throws Rejected when one of the user's waits already */
export const insertKycSubmission = (db: Db, row: NewKycSubmission): Promise<void> =>
  soon<KycSubmissionToWrite>(db, writeKycSubmissions, {
    ...row,
    reason: row.reason ?? '',
    by: row.by,
    reviewedAt: row.reviewedAt,
    updatedAt: row.updatedAt ?? row.now,
  });

async function writeKycSubmissions(db: Db, all: readonly KycSubmissionToWrite[]): Promise<void> {
  const { rows } = await sql`${prepared}
    with moved as (insert into auth (user_id, agent_id, name, country, id_type, id_number, level, front, back, holding, state,
      reason, by_account, reviewed_at, created_at, recorded_at, updated_at)
    select "userId", "agentId", name, country, "idType", "idNumber", level, front, back, holding, state, reason, "by",
      "reviewedAt", "createdAt", now, "updatedAt"
    from ${rowsAs('w', kycTypes, all)} order by n
    on conflict (user_id) where state = 0 do nothing returning ${movedKycSubmission}, recorded_at, created_at as x_at),
    told as (${notificationStepsInsert([{ type: 'auth.submitted', state: KYC.waiting, of: [KYC.waiting] }])})
    select 1 from moved`.execute(db);
  if (rows.length < all.length) throw reject('pending');
}

const facts: Readonly<Record<Exclude<KycState, 0>, NotificationType>> = { 1: 'auth.passed', 2: 'auth.rejected' };

/**
 * Decides a submission if it still waits; the one conditional write that decides every race.
 *
 * @returns whether this call decided it
 */
export async function decideKycSubmission(
  ctx: Ctx,
  id: number,
  { from, to, reason }: { from: readonly number[]; to: Exclude<KycState, 0>; reason: string },
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update auth a set state = ${to}, reason = ${reason}, by_account = ${ctx.operator.account},
      reviewed_at = ${ctx.now}, updated_at = ${ctx.now}
    where a.id = ${id} and a.state = any(${[...from]}::int[]) and ${inScope(ctx.scope, 'a.agent_id')}
    returning ${movedKycSubmission}),
    told as (${notificationInsert(facts[to], ctx.now, ctx.now)})
    select 1 from moved`.execute(ctx.db);
  return rows.length === 1;
}

/** A transaction that changes a user's submissions locks the user first, so that `settleUser` counts everything there is. */
export async function takeUserForKyc(db: Db, userId: number): Promise<void> {
  await sql`${prepared}select 1 from users where id = ${userId} for no key update`.execute(db);
}

/** The user's own KYC state follows from its submissions: the best that was passed stands, whatever waits or failed since. */
export const settleUser = (db: Db, userId: number, now: number): Promise<void> =>
  soon(db, settleUsers, { userId, now });

async function settleUsers(db: Db, all: readonly { userId: number; now: number }[]): Promise<void> {
  const users = [...new Set(all.map(({ userId }) => userId))];
  await sql`${prepared}
    with ${beforeOf(rolled.user, sql`r.id = any(${users}::bigint[])`)},
    moved as (update users r set updated_at = ${Math.max(...all.map(({ now }) => now))}, auth = (
      select case when bool_or(a.state = 1 and a.level = 2) then 3 when bool_or(a.state = 1) then 2
        when bool_or(a.state = 0) then 1 when count(*) > 0 then 4 else 0 end
      from auth a where a.user_id = r.id)
      from before where r.id = before.o_id returning ${bothOf(rolled.user)}),
    rolled as (${countsChanged(rolled.user)})
    select 1 from moved`.execute(db);
}
