import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { AUTO_SILENT_COUNT, AUTO_SILENT_VALUE } from '@hengtai/contract/risk/auto-payout/facts';
import type { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCause } from '@hengtai/contract/risk/auto-payout/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';
import type { WithdrawMove } from '../../funds/withdraw/withdraw.rules.ts';
import { stopsCoin } from '../../house/alarm/alarm.store.ts';

/** Causes of stops in the detail of a coin. */
const CAUSES_SHOWN = 20;

const causes: Readonly<Record<number, 'failed' | 'unknown'>> = {
  [WITHDRAW.failed]: 'failed',
  [WITHDRAW.unknown]: 'unknown',
};

/** Causes are recorded only for a coin that is switched on: what happened before must not stop it. */
const isSwitchedOn = (marketId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (select from auto_coin c join auto_budget b on b.id = c.budget_id where c.market_id = ${marketId} and b.enabled)`;

/**
 * A further CTE for the statement whose CTE `moved` moves a withdrawal: a payout that did not end well stops automatic payouts
 * of its coin. Empty for other states, and for what an operator decides about such a payout.
 */
export function stopCauseInsert(move: WithdrawMove): RawBuilder<unknown> {
  const { to, by, keyId, isSilent, now } = move;
  if (isSilent) return silentCauseInsert(move);
  const why = by === undefined ? causes[to] : undefined;
  if (!why) return sql``;
  return sql`, caused as (insert into auto_stop_cause (market_id, why, withdraw_id, key_id, created_at)
    select market_id, ${why}::text, id, ${keyId ?? null}::bigint, ${now}::bigint from moved
    where ${isSwitchedOn(sql`moved.market_id`)})`;
}

/** A number of the settings; 0 for no limit. */
const setting = (key: string): RawBuilder<number> => sql<number>`(select num from config where key = ${key})`;

/**
 * The CTE for a payout whose outcome became unknown because the wallet said nothing for too long. It stops the coin on the
 * platform of its user if its value is above that of the setting, or is not known, or if there are as many as the setting says.
 * `moved` itself does not show among them yet.
 */
const silentCauseInsert = ({ now }: WithdrawMove): RawBuilder<unknown> => sql`,
  silent as (
    select m.market_id, m.id,
      ${setting(AUTO_SILENT_VALUE)} > 0 and coalesce(w.valuation > ${setting(AUTO_SILENT_VALUE)}, true) as "isLarge",
      1 + (select count(*) from withdraw o join users ou on ou.id = o.user_id
        where o.state = ${sql.lit(WITHDRAW.unknown)} and o.silent_at is not null and o.market_id = m.market_id
          and ou.platform_id = u.platform_id) as count
    from moved m join withdraw w on w.id = m.id join users u on u.id = m.user_id
  ),
  caused as (
    insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
    select market_id, case when "isLarge" then 'large' else 'silent' end, id, ${now}::bigint from silent
    where ${isSwitchedOn(sql`silent.market_id`)}
      and ("isLarge" or ${setting(AUTO_SILENT_COUNT)} > 0 and count >= ${setting(AUTO_SILENT_COUNT)})
  )`;

/** The coin that the alarm `a` stops, with the withdrawal or the platform. */
const stoppedCoin = sql`(
  select w.market_id, w.id as withdraw_id, null::bigint as platform_id from withdraw w
    where a.ref_type = 'withdraw' and w.id = a.ref_id
  union all select h.market_id, null, h.platform_id from chain_move v join wallet h on h.id = v.wallet_id
    where a.ref_type = 'chainMove' and v.id = a.ref_id)`;

/** The number of open alarms that stop the coin `c`. */
export const openAlarmCount = sql`(select count(*)::int from alarm a join lateral ${stoppedCoin} r on true
  where a.closed_at is null and ${stopsCoin} and r.market_id = c.market_id)`;

/**
 * Records open alarms that stop a coin as causes, with the key of their latest occurrence. A cause that was handled covers the
 * occurrences until then; a later one is a new cause.
 *
 * @param marketId one coin; undefined: every coin that has a budget
 */
export async function recordAlarmCauses(db: Db, marketId: number | undefined, now: number): Promise<void> {
  await sql`${prepared}
    insert into auto_stop_cause (market_id, why, withdraw_id, platform_id, alarm_id, occurrence_id, key_id, created_at)
    select r.market_id, 'alarm', r.withdraw_id, r.platform_id, a.id, coalesce(o.id, 0), o.key_id, ${now}
    from alarm a join lateral ${stoppedCoin} r on true join auto_coin c on c.market_id = r.market_id
    left join lateral (select id, key_id from alarm_occurrence where alarm_id = a.id order by id desc limit 1) o on true
    where a.closed_at is null and ${stopsCoin} and r.market_id = coalesce(${marketId ?? null}::bigint, r.market_id)
      and not exists (select from auto_stop_cause s where s.alarm_id = a.id
        and (s.handled_at is null or s.occurrence_id >= coalesce(o.id, 0)))
    order by a.id
    on conflict (alarm_id, occurrence_id) where alarm_id is not null do nothing`.execute(db);
}

/** A cause `s` with its withdrawal, if it has one. */
const from = sql`auto_stop_cause s left join withdraw w on w.id = s.withdraw_id left join users u on u.id = w.user_id`;
/** The platform that the cause `s` stops: that of its withdrawal's user, or of its move on a chain. */
const platformOf = sql`coalesce(s.platform_id, u.platform_id)`;

const platformJson = sql`json_build_object('id', p.id, 'name', p.name)`;
const keyJson = sql`case when s.key_id is not null then json_build_object('id', nullif(s.key_id, 0),
  'name', coalesce(k.name, ''), 'revoked', k.revoked_at is not null) end`;
const named = sql`${from} join platform p on p.id = ${platformOf} left join gateway_key k on k.id = s.key_id`;

/** The open causes of the coin `c`, as JSON. */
export const openCausesJson = sql`(
  select coalesce(json_agg(json_build_object('id', s.id, 'why', s.why, 'platform', ${platformJson},
    'withdrawId', s.withdraw_id, 'alarmId', s.alarm_id, 'key', ${keyJson}, 'at', s.created_at, 'handledAt', null) order by s.id),
    '[]')
  from ${named} where s.market_id = c.market_id and s.handled_at is null)`;

/** The last payouts, rules and alarms that demanded a stop, latest first. */
export async function fetchCauses(db: Db, marketId: number): Promise<AutoCause[]> {
  const { rows } = await sql<AutoCause>`
    select s.id, s.why, ${platformJson} as platform, s.withdraw_id as "withdrawId", s.alarm_id as "alarmId",
      ${keyJson} as key, s.created_at as at, s.handled_at as "handledAt"
    from ${named} where s.market_id = ${marketId} order by s.id desc limit ${CAUSES_SHOWN}`.execute(db);
  return rows;
}

/** Whether a coin has an open cause on a platform. */
export async function isStoppedOn(db: Db, marketId: number, platformId: number): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select 1 from ${from}
    where s.market_id = ${marketId} and s.handled_at is null and ${platformOf} = ${platformId} limit 1`.execute(db);
  return rows.length === 1;
}

/** A platform on which a coin was stopped, with the first cause. */
export interface NewStop {
  platformName: string;
  why: keyof typeof autoStops;
}

/** Marks the open causes of a coin as noticed. The platforms that none of those noticed before had stopped are returned. */
export async function noticeCauses(db: Db, marketId: number, now: number): Promise<NewStop[]> {
  const { rows } = await sql<NewStop>`${prepared}
    with noticed as (
      update auto_stop_cause set noticed_at = ${now}
      where market_id = ${marketId} and handled_at is null and noticed_at is null returning id, why, withdraw_id, platform_id
    )
    select distinct on (p.id) p.name as "platformName", n.why
    from noticed n left join withdraw nw on nw.id = n.withdraw_id left join users nu on nu.id = nw.user_id
    join platform p on p.id = coalesce(n.platform_id, nu.platform_id)
    where not exists (select from ${from} where s.market_id = ${marketId} and s.handled_at is null
      and s.noticed_at is not null and ${platformOf} = p.id)
    order by p.id, n.id`.execute(db);
  return rows;
}

/** Marks open causes of a coin as handled: those of the list, or all. Those of open transactions stop it again. */
export async function handleCauses(
  db: Db,
  marketId: number,
  ids: readonly number[] | 'all',
  now: number,
): Promise<void> {
  const isNamed = ids === 'all' ? sql`true` : sql`id = any(${[...ids]}::bigint[])`;
  await sql`update auto_stop_cause set handled_at = ${now}
    where market_id = ${marketId} and handled_at is null and ${isNamed}`.execute(db);
}
