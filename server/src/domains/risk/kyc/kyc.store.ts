import { ABILITY } from '@hengtai/contract/authority/ability';
import { KYC, type KycState, kyc as calls, maskIdNumber, maskName, kycLevels } from '@hengtai/contract/risk/kyc/calls';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { API_BASE, type InputOf } from '@hengtai/contract/wire/endpoint';
import type { KycSide } from '@hengtai/contract/wire/input-values';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { isOperator } from '../../../books/lists/filter.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { EventBatch, Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';
import { notificationInsert, notificationStepsInsert } from '../../../actions/notification.store.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';
import { identityKey, nameKey } from './identity-key.rules.ts';

/** An unmasked submission with the user's agent. */
export interface KycRecord extends KycRow {
  agentId: number;
}

/** Whether the operator may see names, document numbers and images. */
export const canSeeIdentity = (ctx: Ctx): boolean => can(ctx.operator, ABILITY.identity);

/** The URL of an image: a call that needs a session for a stored image, otherwise the platform's URL. */
function imageUrl(side: KycSide): RawBuilder<unknown> {
  const column = sql.ref(`a.${side}`);
  const call = `${API_BASE}${calls.image.path}?id=`;
  return sql`case when substr(${column}, 1, 5) = 'data:' then ${call} || a.id || ${`&side=${side}`}
    else ${column} end as ${sql.ref(side)}`;
}

const fields = sql`
  a.id, a.user_id as "userId", u.account, g.shown as agent, a.name, a.country, a.id_type as "idType",
  a.id_number as "idNumber", ${imageUrl('front')}, ${imageUrl('back')}, ${imageUrl('holding')}, a.level, a.state, a.reason,
  a.by_account as "by", a.reviewed_at as "reviewedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const from = sql`auth a left join users u on u.id = a.user_id left join agent g on g.id = a.agent_id`;

export const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({
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
    by: isOperator('a.by_account'),
  },
  sort: { reviewedAt: 'a.reviewed_at' },
  where: inScope(scope, 'a.agent_id'),
});

/** Masks name and document number and removes the image URLs. */
export const maskRow = <R extends KycRow>(row: R): R => ({
  ...row,
  name: maskName(row.name),
  idNumber: maskIdNumber(row.idNumber),
  front: '',
  back: '',
  holding: '',
});

const unmaskedList = defineList(calls.list, sourceFor);
const maskedList = defineList(calls.list, sourceFor, { row: maskRow });

/** Lists submissions, unmasked for holders of the ability and masked for others. Exports (`readAll`) are always masked. */
export const listKycSubmissions: typeof unmaskedList = Object.assign(
  (ctx: Ctx, input: InputOf<typeof calls.list>) => (canSeeIdentity(ctx) ? unmaskedList : maskedList)(ctx, input),
  { readAll: maskedList.readAll },
);

/** Finds an unmasked submission in the operator's scope. The caller must mask it before it is shown. */
export async function findKycSubmission(ctx: Ctx, id: number): Promise<KycRecord | undefined> {
  const { rows } = await sql<KycRecord>`
    select ${fields}, a.agent_id as "agentId" from ${from}
    where a.id = ${id} and ${inScope(ctx.scope, 'a.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** The other submissions of the user, newest first. */
export async function listOtherSubmissions(ctx: Ctx, { id, userId }: KycRecord, limit: number): Promise<KycRow[]> {
  const condition = sql<boolean>`a.user_id = ${userId} and a.id <> ${id}`;
  const rows = await lastRows<KycRow>(ctx.db, sourceFor(ctx), condition, limit);
  return canSeeIdentity(ctx) ? rows : rows.map(maskRow);
}

/** The submitted image, empty if there is none; undefined if the submission is outside the operator's scope. */
export async function findImage(
  ctx: Ctx,
  id: number,
  side: KycSide,
): Promise<{ image: string; userId: number; account: string; agentId: number } | undefined> {
  const { rows } = await sql<{ image: string; userId: number; account: string; agentId: number }>`
    select ${sql.ref(`a.${side}`)} as image, a.user_id as "userId", u.account, a.agent_id as "agentId"
    from auth a join users u on u.id = a.user_id
    where a.id = ${id} and ${inScope(ctx.scope, 'a.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/**
 * Records that the operator views the images of a submission.
 *
 * @param againMs milliseconds after which a request counts as a new view
 * @returns whether this is a new view
 */
export async function recordView(ctx: Ctx, submissionId: number, againMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into auth_look (operator_id, auth_id, looked_at) values (${ctx.operator.id}, ${submissionId}, ${ctx.now})
    on conflict (operator_id, auth_id) do update set looked_at = excluded.looked_at
    where auth_look.looked_at <= excluded.looked_at - ${againMs}::bigint returning 1`.execute(ctx.db);
  return rows.length === 1;
}

/** The columns that `notificationInsert` requires of the CTE `moved`. */
const movedColumns = sql`
  id, user_id, agent_id, null::bigint as operator_id, null::bigint as market_id, null::numeric as amount, state,
  ''::text as detail`;

const kycTypes = {
  userId: 'bigint',
  agentId: 'bigint',
  name: 'text',
  country: 'text',
  idType: 'int',
  idNumber: 'text',
  numberKey: 'text',
  nameKey: 'text',
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
type KycSubmissionToWrite = BulkRow<typeof kycTypes, 'by' | 'reviewedAt'>;

/** Only imported submissions are decided already. */
export interface NewKycSubmission extends Omit<
  KycSubmissionToWrite,
  'numberKey' | 'nameKey' | 'reason' | 'by' | 'reviewedAt' | 'updatedAt'
> {
  reason?: string | undefined;
  by?: string | undefined;
  reviewedAt?: number | undefined;
  updatedAt?: number;
}

const submissions: Writer<KycSubmissionToWrite> = { tables: ['auth'], write: insertSubmissions };

/** @throws Rejected if the user has a waiting submission */
export const insertKycSubmission = (batch: EventBatch, row: NewKycSubmission): Promise<void> =>
  batch.insert(submissions, {
    ...row,
    numberKey: identityKey(row.idNumber),
    nameKey: nameKey(row.name),
    reason: row.reason ?? '',
    by: row.by ?? null,
    reviewedAt: row.reviewedAt ?? null,
    updatedAt: row.updatedAt ?? row.now,
  });

async function insertSubmissions(db: Db, all: readonly KycSubmissionToWrite[]): Promise<void> {
  const { rows } = await sql`${prepared}
    with moved as (insert into auth (user_id, agent_id, name, country, id_type, id_number, number_key, name_key, level, front,
      back, holding, state, reason, by_account, reviewed_at, created_at, recorded_at, updated_at)
    select "userId", "agentId", name, country, "idType", "idNumber", "numberKey", "nameKey", level, front, back, holding, state,
      reason, "by", "reviewedAt", "createdAt", now, "updatedAt"
    from ${unnestRows('w', kycTypes, all)} order by n
    on conflict (user_id) where state = ${sql.lit(KYC.waiting)} do nothing returning ${movedColumns}, recorded_at, created_at),
    notified as (${notificationStepsInsert([{ type: 'auth.submitted', state: KYC.waiting, of: [KYC.waiting] }])})
    select 1 from moved`.execute(db);
  if (rows.length < all.length) throw reject('pending');
}

const notificationTypes: Readonly<Record<Exclude<KycState, 0>, NotificationType>> = {
  1: 'auth.passed',
  2: 'auth.rejected',
};

/**
 * Decides a submission if it is still in one of the states `from`. This conditional write decides every race.
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
    returning ${movedColumns}),
    notified as (${notificationInsert(notificationTypes[to], ctx.now, ctx.now)})
    select 1 from moved`.execute(ctx.db);
  return rows.length === 1;
}

/** Locks the user before a change of its submissions, so that `updateUserKyc` sees concurrent changes too. */
export async function lockUserForKyc(db: Db, userId: number): Promise<void> {
  await sql`${prepared}select 1 from users where id = ${userId} for no key update`.execute(db);
}

/** Updates the KYC states of users. The highest passed level wins over later waiting or rejected ones. */
export const userKyc: Writer<{ userId: number; now: number }> = {
  tables: ['users', 'auth'],
  write: (db, changes) => updateUsersKyc(db, changes),
};

/** As `userKyc`, for one user at once. */
export const updateUserKyc = (db: Db, userId: number, now: number): Promise<void> =>
  updateUsersKyc(db, [{ userId, now }]);

async function updateUsersKyc(db: Db, changes: readonly { userId: number; now: number }[]): Promise<void> {
  const users = [...new Set(changes.map(({ userId }) => userId))];
  await sql`${prepared}
    update users r set updated_at = ${Math.max(...changes.map(({ now }) => now))}, auth = (
      select case when bool_or(a.state = ${sql.lit(KYC.passed)} and a.level = 2) then 3 when bool_or(a.state = ${sql.lit(KYC.passed)}) then 2
        when bool_or(a.state = ${sql.lit(KYC.waiting)}) then 1 when count(*) > 0 then 4 else 0 end
      from auth a where a.user_id = r.id)
    where r.id = any(${users}::bigint[])`.execute(db);
}

/** The value of an amount in USDT by the last price; null without one. */
export async function findValue(db: Db, marketId: number, amount: string): Promise<string | null> {
  const { rows } = await sql<{ value: string | null }>`
    select value_of(${marketId}::bigint, ${amount}::numeric) as value`.execute(db);
  return rows[0]?.value ?? null;
}

export const openKycSubmissions: OpenProbe = {
  what: 'auth',
  query: (userId) =>
    sql`select a.id, a.level from auth a where a.user_id = ${userId} and a.state = ${sql.lit(KYC.waiting)} order by a.id`,
  describe: ({ id, level }) => `待审核实名 #${id}（${openLabel(kycLevels, level)}）`,
};
