import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/** A record, or what is effective of several, as the fields that an approval signs. */
export type Line = Readonly<Record<string, unknown>>;

/**
 * Everything that protects, read from the tables. Lines have the names that approvals give them, so that what an approval
 * signed can be compared with what it made. `use:` is what a group is used for, which no save says.
 */
export type Lines = Readonly<Record<string, Line>>;

const effectiveLimits = sql`
  select concat_ws(':', 'limit', m.id, l.level, coalesce(g.id::text, '-')), jsonb_build_object(
    'withdrawState', coalesce(t.enabled, s.enabled, true)::int,
    'singleMin', coalesce(t.min_amount, s.min_amount, m.withdraw_min)::text,
    'singleMax', coalesce(t.max_amount, s.max_amount, m.withdraw_max)::text,
    'dayAmount', coalesce(t.day_amount, s.day_amount, 0)::text, 'dayCount', coalesce(t.day_count, s.day_count, 0),
    'feeFixed', coalesce(t.fee_fixed, s.fee_fixed)::text, 'feeRate', coalesce(t.fee_rate, s.fee_rate)::text)
  from market m cross join generate_series(0, 2) l (level)
  cross join (select id from user_group where deleted_at is null union all select null) g
  left join newest s on s.market_id = m.id and s.level = l.level
  left join newest t on t.market_id = m.id and t.group_id = g.id`;

const groups = sql`
  select 'userGroup:' || id, jsonb_build_object('name', name, 'forAgents', for_agents)
  from user_group where deleted_at is null
  union all select 'use:' || g.id, jsonb_build_object(
    'members', (select count(*) from user_group_member x where x.group_id = g.id),
    'terms', exists (select from newest t where t.group_id = g.id and num_nonnulls(t.enabled, t.min_amount, t.max_amount,
      t.day_amount, t.day_count, t.fee_fixed, t.fee_rate) > 0))
  from user_group g where deleted_at is null
  union all select 'userGroup.member:' || u.id, jsonb_build_object('groupId', x.group_id)
  from users u left join user_group_member x on x.user_id = u.id`;

const trading = sql`
  select 'market:' || id, jsonb_build_object('spot', spot, 'future', future, 'second', second, 'ieo', ieo, 'state', state,
    'pricePrecision', price_precision, 'amountPrecision', amount_precision, 'minAmount', min_amount::text,
    'maxAmount', max_amount::text, 'makerFee', maker_fee::text, 'takerFee', taker_fee::text, 'maxLeverage', max_leverage,
    'maintenanceRate', maintenance_rate::text, 'withdrawFee', withdraw_fee::text, 'withdrawMin', withdraw_min::text,
    'withdrawMax', withdraw_max::text, 'rechargeState', recharge_state, 'withdrawState', withdraw_state,
    'networks', networks)
  from market
  union all select 'secondConfig:' || id, jsonb_build_object('marketId', coalesce(market_id, 0), 'seconds', seconds,
    'payoutRate', payout_rate::text, 'minAmount', min_amount::text, 'maxAmount', max_amount::text, 'state', state)
  from second_config
  union all select concat_ws(':', 'plan', market_id, market_type), jsonb_build_object('watched', watched,
    'minPrice', min_price::text, 'maxPrice', max_price::text, 'planPrice', plan_price::text, 'planMinute', plan_minute)
  from plan
  union all select concat_ws(':', 'plan.grant', g.market_id, a.account_key), '{}'
  from plan_grant g join agent a on a.id = g.operator_id where a.deleted_at is null`;

const payouts = sql`
  select 'autoPayout:' || c.market_id, jsonb_build_object('on', b.enabled, 'dayAmount', b.day_amount::text,
    'dayCount', b.day_count, 'userDayAmount', b.user_day_amount::text, 'largestUnverified', b.largest_unverified::text,
    'largestBasic', b.largest_basic::text, 'largestAdvanced', b.largest_advanced::text, 'firstByHand', b.first_by_hand,
    'reviewPercent', b.review_percent, 'running', c.stopped_at is null and not exists (
      select from auto_stop_cause s where s.market_id = c.market_id and s.handled_at is null))
  from auto_coin c join auto_budget b on b.id = c.budget_id
  union all select 'rule:' || r.id, jsonb_build_object('name', r.name, 'state', r.state, 'conditions', v.conditions,
    'actions', v.actions, 'unknownHits', v.unknown_hits)
  from rule r join rule_version v on v.rule_id = r.id and v.version = r.version
  union all select concat_ws(':', 'address', list, network, address_key), jsonb_build_object('list', list,
    'address', address, 'network', network, 'expiresAt', expires_at)
  from address_entry where removed_at is null
  union all select 'bypass:' || id, '{}' from screening_bypass`;

const access = sql`
  select 'config:' || id, jsonb_build_object('key', key, 'state', state, 'num', num::text, 'str', str) from config
  union all select 'gatewayKey:' || id, jsonb_build_object('platformId', platform_id, 'name', name, 'rights', rights,
    'addresses', addresses, 'expiresAt', expires_at, 'nonce', nonce)
  from gateway_key where revoked_at is null
  union all select 'gatewayPlatform:' || id, jsonb_build_object('name', name, 'markets', markets) from platform
  union all select concat_ws(':', 'agent.grant', id, type), jsonb_build_object('type', type, 'state', 1)
  from agent, unnest(abilities || case when state = 1 then '{0}'::int[] end) type where deleted_at is null`;

/** The text and the lines that were read last of each server. Most steps change none. */
const lastRead = new WeakMap<TestServer, { text: string; lines: Lines }>();

/** Reads all lines; the same object as before if none changed. */
export async function readLines(server: TestServer): Promise<Lines> {
  const [row] = await server.query(sql<{ text: string }>`
    with newest as (
      select distinct on (market_id, level, group_id) * from withdraw_limit
      order by market_id, level, group_id, version desc
    )
    select json_object_agg(line, fields order by line)::text as text
    from (${access} union all ${effectiveLimits} union all ${groups} union all ${trading} union all ${payouts}) l (line, fields)`);
  if (!row) throw new Error('What is protected cannot be read.');
  const last = lastRead.get(server);
  if (last?.text === row.text) return last.lines;
  // The statement builds an object of objects.
  const lines = JSON.parse(row.text) as Lines;
  lastRead.set(server, { text: row.text, lines });
  return lines;
}
