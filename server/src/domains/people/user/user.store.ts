import type { AssetRow, UserRow } from '@hengtai/contract/people/user/schema';
import { type UserSwitch, user as calls } from '@hengtai/contract/people/user/calls';
import type { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { Static } from '@sinclair/typebox';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { counters } from '../../../books/lists/counters.ts';
import type { EventBatch, Writer, EventUser } from '../../../gateway/event-batch.ts';
import { DEFAULT_PLATFORM } from '../../../gateway/platform-scope.ts';
import { inListScope, isVisible, inScope } from '../../../database/scope.ts';
import { notificationInsert } from '../../../actions/notification.store.ts';
import { isInGroup, userGroupOf } from './user-group.store.ts';

const fieldsFor = (ctx: Ctx) => sql`
  u.id, u.id as "userId", u.account, g.shown as agent, u.remark, u.state, u.trade, u.ieo_buy as "ieoBuy",
  u.ieo_sell as "ieoSell", u.ai, u.win_type as "winType", u.win_rate as "winRate", u.auth, ${userGroupOf('u.id')} as "userGroup", u.created_at as "createdAt",
  u.updated_at as "updatedAt", u.last_login_at as "lastLoginAt", u.last_login_ip as "lastLoginIp",
  coalesce((select x.account from closure c join agent x on x.id = c.ancestor
    where c.descendant = u.agent_id and x.depth = 1 and ${isVisible(ctx.scope, 'x.id')}), ${ctx.operator.account}) as "agentRoot",
  v.valuation`;

/**
 * What a user owns in USDT, as `value_of` values it; null if one of its coins has no price. `offset 0` has the price of each coin
 * computed once for all users.
 */
const valued = sql`left join lateral (
    select case when bool_or(x.balance > 0 and x.value is null) then null else coalesce(sum(x.value), 0) end as valuation
    from (
      select a.balance, case when a.balance * p.price < 1e18 then round(a.balance * p.price, 18) end as value
      from account a left join (select m.id, usdt_price(m.id) as price from market m offset 0) p on p.id = a.market_id
      where a.user_id = u.id
    ) x
  ) v on true`;
const from = sql`users u left join agent g on g.id = u.agent_id ${valued}`;

/** Users who logged in from an IP, by the recorded logins, as the search finds them. */
const hasLoginIp =
  ({ scope }: Ctx) =>
  (ip: string | number): RawBuilder<boolean> =>
    sql<boolean>`u.id = any(array(
      select l.user_id from user_login l where l.ip = ${ip} and ${inListScope(scope, 'l.agent_id')}))`;

/** A literal instead of a parameter, so that the planner can use the partial index of rare positions. */
const isSwitched =
  (column: string) =>
  (value: string | number): RawBuilder<boolean> =>
    sql<boolean>`${sql.ref(column)} = ${sql.lit(Number(value))}`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from,
  id: 'u.id',
  createdAt: 'u.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'u.agent_id',
    agentRoot: 'u.agent_id',
    state: 'u.state',
    auth: 'u.auth',
    groupId: (id, within) => isInGroup('u.id', id, within),
    id: 'u.id',
    ip: hasLoginIp(ctx),
    trade: isSwitched('u.trade'),
    ieoBuy: isSwitched('u.ieo_buy'),
    ieoSell: isSwitched('u.ieo_sell'),
    ai: isSwitched('u.ai'),
    winType: isSwitched('u.win_type'),
  },
  sort: { valuation: 'v.valuation', lastLoginAt: 'u.last_login_at' },
  counted: { ...counters.users, from: sql`users u ${valued}`, user: 'u.id' },
  where: sql<boolean>`u.deleted_at is null and ${inListScope(ctx.scope, 'u.agent_id')}`,
});

export const listUsers = defineList(calls.list, sourceFor);

/** The row of the response plus the user's agent. */
export interface UserRecord extends UserRow {
  agentId: number;
}

type PlatformUser = Static<typeof platformReads.user>;

/** A user as the platform knows it, with the account of its agent. */
export async function readPlatformUser(db: Db, platformId: number, account: string): Promise<PlatformUser | undefined> {
  const { rows } = await sql<PlatformUser>`
    select u.account, g.account as agent, u.state, u.trade, u.ieo_buy as "ieoBuy", u.ieo_sell as "ieoSell", u.ai,
      u.win_type as "winType", u.win_rate as "winRate"
    from users u join agent g on g.id = u.agent_id
    where u.account_key = lower(${account}) and u.platform_id = ${platformId} and u.deleted_at is null`.execute(db);
  return rows[0];
}

/** Finds a user of the operator's scope that is not deleted. */
export async function findUser(ctx: Ctx, id: number): Promise<UserRecord | undefined> {
  const { rows } = await sql<UserRecord>`
    select ${fieldsFor(ctx)}, u.agent_id as "agentId" from ${from}
    where u.id = ${id} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** A user's assets by coin and account type. The fund account (1) lists every coin, also with a zero balance. */
export async function findAssets(ctx: Ctx, userId: number, platform: number | undefined): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select m.id as "marketId", m.market_name as "marketName", p.platform, coalesce(b.active, 0) as active,
      coalesce(b.frozen, 0) as frozen, coalesce(b.active + b.frozen, 0) as total,
      value_of(m.id, coalesce(b.active + b.frozen, 0)) as valuation
    from market m
    cross join (values (1), (2), (3), (4)) as p(platform)
    left join (select market_id, platform, sum(balance) filter (where bucket = 'active') as active,
        coalesce(sum(balance) filter (where bucket = 'frozen'), 0) as frozen
      from account where user_id = ${userId} group by market_id, platform) b
      on b.market_id = m.id and b.platform = p.platform
    where m.base_id is null and (p.platform = 1 or b.market_id is not null) and (${platform ?? null}::int is null or p.platform = ${platform ?? null})
    order by p.platform, m.sort, m.id`.execute(ctx.db);
  return rows;
}

export interface NewUser {
  account: string;
  agentId: number;
  /** The default one if an operator adds the user. */
  platformId?: number;
  remark: string;
  createdAt: number;
  now: number;
}

/** Inserts a user and its notification; undefined if the account is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<EventUser | undefined> {
  const { rows } = await sql<EventUser>`${prepared}
    with moved as (insert into users as r (account, agent_id, remark, platform_id, created_at, recorded_at, updated_at)
    values (${user.account}, ${user.agentId}, ${user.remark}, ${user.platformId ?? DEFAULT_PLATFORM}, ${user.createdAt},
      ${user.now}, ${user.now})
    on conflict (account_key) do nothing
    returning id, id as user_id, agent_id, null::bigint as operator_id, null::bigint as market_id,
      null::numeric as amount, state, ''::text as detail, trade, ai, ieo_buy, ieo_sell, win_type, win_rate),
    notified as (${notificationInsert('user.registered', user.createdAt, user.now)})
    select id, agent_id as "agentId", state, trade, ai, ieo_buy as "ieoBuy", ieo_sell as "ieoSell",
      win_type as "winType", win_rate as "winRate" from moved`.execute(db);
  return rows[0];
}

export interface Login {
  ip: string;
  device: string | undefined;
  at: number;
  now: number;
}

type UserLogin = Login & { user: { id: number; agentId: number } };

const logins: Writer<UserLogin> = { tables: ['user_login', 'users'], write: insertLogins };

/** An older login that arrives later does not change the user's last login. */
export const recordUserLogin = (batch: EventBatch, user: UserLogin['user'], login: Login): Promise<void> =>
  batch.insert(logins, { ...login, user });

async function insertLogins(db: Db, all: readonly UserLogin[]): Promise<void> {
  await sql`${prepared}
    with logins as (
      select * from unnest(${all.map(({ user }) => user.id)}::bigint[], ${all.map(({ user }) => user.agentId)}::bigint[],
        ${all.map(({ ip }) => ip)}::text[], ${all.map(({ device }) => device ?? null)}::text[],
        ${all.map(({ at }) => at)}::bigint[], ${all.map(({ now }) => now)}::bigint[])
        with ordinality as l(user_id, agent_id, ip, device, at, now, n)
    ),
    inserted as (
      insert into user_login (user_id, agent_id, ip, device, created_at, recorded_at)
      select user_id, agent_id, ip, device, at, now from logins order by n
    ),
    last as (select distinct on (user_id) user_id, at, ip from logins order by user_id, at desc, n desc)
    update users u set last_login_at = last.at, last_login_ip = last.ip from last
    where u.id = last.user_id and coalesce(u.last_login_at, 0) <= last.at`.execute(db);
}

export async function insertCredentialChange(
  db: Db,
  user: { id: number; agentId: number },
  kind: string,
  at: number,
  now: number,
): Promise<void> {
  await sql`${prepared}insert into credential_change (user_id, agent_id, kind, created_at, recorded_at)
    values (${user.id}, ${user.agentId}, ${kind}, ${at}, ${now})`.execute(db);
}

const switchColumns: Readonly<Record<UserSwitch, string>> = {
  state: 'state',
  trade: 'trade',
  ieoBuy: 'ieo_buy',
  ieoSell: 'ieo_sell',
  ai: 'ai',
};

/** Sets one switch if it still has the opposite value; false if a concurrent call changed it first. */
export async function setSwitch(
  ctx: Ctx,
  id: number,
  { field, to }: { field: UserSwitch; to: 0 | 1 },
): Promise<boolean> {
  const column = sql.ref(`u.${switchColumns[field]}`);
  const { numAffectedRows } = await sql`
    update users u set ${sql.ref(switchColumns[field])} = ${to}, updated_at = ${ctx.now}
    where u.id = ${id} and ${column} = ${1 - to} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(
    ctx.db,
  );
  return numAffectedRows === 1n;
}

/** Sets the payout tier; false if the user already has it. */
export async function setTier(
  ctx: Ctx,
  id: number,
  tier: { winType: number; winRate: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update users u set win_type = ${tier.winType}, win_rate = ${tier.winRate}::numeric, updated_at = ${ctx.now}
    where u.id = ${id} and (u.win_type, u.win_rate) is distinct from (${tier.winType}::smallint, ${tier.winRate}::numeric)
      and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  return numAffectedRows === 1n;
}

export async function setRemark(ctx: Ctx, id: number, remark: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update users u set remark = ${remark}, updated_at = ${ctx.now}
    where u.id = ${id} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  return numAffectedRows === 1n;
}

/**
 * Locks a user exclusively. Transactions that insert rows of the user lock it shared (`mustFindUser`, new accounts,
 * approvals), so they wait until the move or deletion is committed. undefined if the user is not found.
 */
export async function lockUser(ctx: Ctx, id: number): Promise<{ agentId: number } | undefined> {
  const { rows } = await sql<{ agentId: number }>`
    select u.agent_id as "agentId" from users u
    where u.id = ${id} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')} for update`.execute(ctx.db);
  return rows[0];
}

/**
 * Blocks payouts of a user's withdrawals.
 *
 * @param until unix milliseconds
 */
export async function setPayoutHold(db: Db, userId: number, until: number): Promise<void> {
  await sql`update users set payout_held_until = ${until} where id = ${userId}`.execute(db);
}
