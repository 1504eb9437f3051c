import { alarm as calls } from '@hengtai/contract/house/alarm/calls';
import { ALARM, type AlarmKind } from '@hengtai/contract/house/alarm/facts';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { coinStoppingKinds, userStoppingKinds } from '@hengtai/contract/house/alarm/stops';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { recordNotification } from '../../../actions/notification.store.ts';

/** What happened once. */
export interface Occurrence {
  key: string;
  detail: object;
  /** The key of the gateway by which it came, 0 for a key of the environment. */
  keyId?: number;
}

/** An event that needs an operator and that no state of a record shows. It stays open until an operator closes it. */
export interface Alarm {
  kind: AlarmKind;
  refType: string;
  refId: number;
  agentId: number;
  /** The user it is about, if any. The alarm moves with this user to another agent. */
  userId?: number | null;
  /** `amount` (or `missing`), `market` and `txHash` become fields of the row; everything else is shown as details. */
  detail: object;
  /** Of a kind and a cause at most one alarm is open: while it is, only the occurrence is added to it. */
  cause?: string;
  /** What happened this time. An alarm keeps one for each key. */
  occurrence?: Occurrence;
  now: number;
}

/**
 * Inserts an alarm for the user's current agent and notifies its operators, unless one with this kind and cause is open.
 *
 * @returns the id of the alarm that is open
 */
export async function raiseAlarm(db: Db, alarm: Alarm): Promise<number> {
  const { kind, userId = null, now } = alarm;
  const { id, agentId, isNew } = await insertAlarm(db, alarm);
  if (alarm.occurrence) await insertOccurrence(db, id, alarm.occurrence, now);
  const reference = { refType: 'alarm', refId: id, userId, agentId, detail: kind };
  if (isNew) await recordNotification(db, { type: 'alarm.raised', ...reference, at: now, now });
  return id;
}

async function insertAlarm(db: Db, alarm: Alarm): Promise<{ id: number; agentId: number | null; isNew: boolean }> {
  const { kind, refType, refId, userId = null, cause = null, detail, now } = alarm;
  // The update of the open alarm changes nothing. It locks the row, so that the alarm stays open until the occurrence commits.
  // PostgreSQL sets xmax of an inserted row to 0.
  const { rows } = await sql<{ id: number; agentId: number | null; isNew: boolean }>`
    with locked_user as (select agent_id from users where id = ${userId} for key share)
    insert into alarm (kind, ref_type, ref_id, agent_id, user_id, cause, detail, created_at)
    values (${kind}, ${refType}, ${refId}, coalesce((select agent_id from locked_user), ${alarm.agentId}), ${userId},
      ${cause}, ${JSON.stringify(detail)}::jsonb, ${now})
    on conflict (kind, cause) where closed_at is null and cause is not null do update set cause = excluded.cause
    returning id, agent_id as "agentId", xmax = 0 as "isNew"`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The alarm ${kind} about ${refType} ${refId} was not inserted.`);
  return row;
}

async function insertOccurrence(
  db: Db,
  alarmId: number,
  { key, detail, keyId = null }: Omit<Occurrence, 'keyId'> & { keyId?: number | null },
  now: number,
): Promise<void> {
  await sql`insert into alarm_occurrence (alarm_id, key, detail, key_id, created_at)
    values (${alarmId}, ${key}, ${JSON.stringify(detail)}::jsonb, ${keyId}, ${now})
    on conflict (alarm_id, key) do nothing`.execute(db);
}

/** Maximum occurrences in the details of an alarm. */
const OCCURRENCES_MAX = 100;

/** The latest occurrences of an alarm that the caller has found in its scope, and how many there are. */
export async function fetchOccurrences(db: Db, alarmId: number): Promise<AlarmDetail['occurrences']> {
  const { rows } = await sql<AlarmDetail['occurrences']['list'][number]>`
    select id, detail, created_at as "createdAt" from alarm_occurrence where alarm_id = ${alarmId}
    order by id desc limit ${OCCURRENCES_MAX}`.execute(db);
  const { rows: totals } = await sql<{ total: number }>`
    select count(*) as total from alarm_occurrence where alarm_id = ${alarmId}`.execute(db);
  return { list: rows, total: totals[0]?.total ?? 0 };
}

/** The alarm `a` stops automatic payouts of the coin of its withdrawal, or of its move on a chain. */
export const stopsCoin = sql<boolean>`(a.kind = any(${[...coinStoppingKinds]}::text[]) and a.ref_type in ('withdraw', 'chainMove'))`;
/** The alarm `a` leaves withdrawals of its user to people. */
export const stopsUser = sql<boolean>`(a.kind = any(${[...userStoppingKinds]}::text[]) and a.user_id is not null)`;

const amount = sql`coalesce(a.detail ->> 'amount', a.detail ->> 'missing')`;

/** What `a` stops. The texts are in the contract's table of kinds. */
const stops = sql`case when a.closed_at is not null then 'nothing'
  when ${stopsCoin} then 'coin' when ${stopsUser} then 'user' else 'nothing' end`;

const fields = sql`
  a.id, a.kind, (a.closed_at is not null)::int as state, a.ref_type as "targetType", a.ref_id as "targetId",
  a.user_id as "userId", u.account, g.shown as agent, ${amount} as amount,
  coalesce(a.detail ->> 'market', m.market_name) as "marketName",
  coalesce(a.detail ->> 'txHash', r.tx_hash, w.tx_hash, '') as "txHash", ${stops} as stops,
  case when r.id is not null then ${explorerOf('m.networks', 'r.network')} when w.id is not null
    then ${explorerOf('m.networks', 'w.network')} else ${explorerOf('m.networks', 'h.network')} end as explorer,
  a.close_reason as reason, a.closed_by as "by", a.closed_at as "closedAt", a.created_at as "createdAt"`;

const from = sql`alarm a
  left join users u on u.id = a.user_id
  left join agent g on g.id = a.agent_id
  left join recharge r on a.ref_type = 'recharge' and r.id = a.ref_id
  left join withdraw w on a.ref_type = 'withdraw' and w.id = a.ref_id
  left join chain_move c on a.ref_type = 'chainMove' and c.id = a.ref_id
  left join wallet h on h.id = c.wallet_id
  left join market m on m.id = coalesce(r.market_id, w.market_id, h.market_id, case a.ref_type when 'house' then a.ref_id end)`;

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({
  fields,
  from,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    account: 'u.account_key',
    state: sql`(a.closed_at is not null)::int`,
    kind: 'a.kind',
    id: 'a.id',
    agent: 'a.agent_id',
    agentRoot: 'a.agent_id',
    userId: 'a.user_id',
    targetId: 'a.ref_id',
  },
  amount: sql`${amount}::numeric`,
  where: inScope(scope, 'a.agent_id'),
});

export const listAlarms = defineList(calls.list, sourceFor);

/** An alarm with its details and the agent that owns it; `agentId` is null for an alarm without an owner. */
export interface AlarmRecord extends AlarmRow {
  agentId: number | null;
  detail: Record<string, unknown>;
}

export async function findAlarm(
  { db, scope }: Pick<Ctx, 'db' | 'scope'>,
  id: number,
): Promise<AlarmRecord | undefined> {
  const { rows } = await sql<AlarmRecord>`select ${fields}, a.agent_id as "agentId", a.detail from ${from}
    where a.id = ${id} and ${inScope(scope, 'a.agent_id')}`.execute(db);
  return rows[0];
}

/** @returns false when the alarm was closed already */
export async function closeAlarm(
  db: Db,
  id: number,
  close: { by: string; reason: string; now: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update alarm set closed_at = ${close.now}, closed_by = ${close.by}, close_reason = ${close.reason}
    where id = ${id} and closed_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Closes the open alarm of a cause and notifies its operators.
 *
 * @returns false if none is open
 */
export async function closeCause(
  db: Db,
  { kind, cause }: Required<Pick<Alarm, 'kind' | 'cause'>>,
  close: { by: string; operatorId: number; reason: string; now: number },
): Promise<boolean> {
  const { now } = close;
  const { rows } = await sql<{ id: number; userId: number | null; agentId: number | null }>`
    update alarm set closed_at = ${now}, closed_by = ${close.by}, close_reason = ${close.reason}
    where kind = ${kind} and cause = ${cause} and closed_at is null
    returning id, user_id as "userId", agent_id as "agentId"`.execute(db);
  for (const { id, ...owner } of rows) {
    const reference = { refType: 'alarm', refId: id, ...owner, detail: kind, operatorId: close.operatorId };
    await recordNotification(db, { type: 'alarm.closed', ...reference, at: now, now });
  }
  return rows.length > 0;
}

export const isOpen = ({ state }: Pick<AlarmRow, 'state'>): boolean => state === ALARM.open;

/** Keys of the open alarms about holds: `refType refId market platform`. */
export async function fetchOpenHoldAlarms(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select ref_type || ' ' || ref_id || ' ' || (detail ->> 'market') || ' ' || (detail ->> 'platform') as key
    from alarm where kind = 'holds.differ' and closed_at is null`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
