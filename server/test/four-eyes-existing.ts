import { sql } from 'kysely';
import type { ExistingValues } from './four-eyes-calls.ts';
import type { ModelWorld } from './four-eyes-world.ts';

/** The existing values that a call of the four-eyes model can name, in an order that does not depend on the database. */

/** The records that saves change, as complete inputs; what limits money four times. */
const savedRows = sql`json_build_object(
  'config.save', (select json_agg(json_build_object('id', id, 'seen', updated_at)::jsonb || case
      when key like 'policy.%' then jsonb_build_object('num', trim_scale(num)::text, 'state', state)
      when kind = 'num' then jsonb_build_object('num', trim_scale(num)::text)
      when kind = 'switch' then jsonb_build_object('state', state) else jsonb_build_object('str', str) end order by id)
    from config, generate_series(1, case when key ~ '^(policy|branchLimit|houseLimit|twoCheckers)[.]' then 4 else 1 end)),
  'rule.state', (select json_agg(json_build_object('id', id, 'state', s.state, 'seen', updated_at) order by id, s.n)
    from rule, unnest('{1,2,2,3}'::int[]) with ordinality s (state, n)),
  'autoPayout.save', (select json_agg(json_strip_nulls(json_build_object('marketId', m.id, 'seen', c.updated_at,
      'on', coalesce(b.enabled, true), 'dayAmount', coalesce(trim_scale(b.day_amount), 1000)::text,
      'dayCount', coalesce(b.day_count, 10), 'userDayAmount', coalesce(trim_scale(b.user_day_amount), 400)::text,
      'largestUnverified', coalesce(trim_scale(b.largest_unverified), 100)::text,
      'largestBasic', coalesce(trim_scale(b.largest_basic), 400)::text,
      'largestAdvanced', coalesce(trim_scale(b.largest_advanced), 1000)::text,
      'firstByHand', coalesce(b.first_by_hand, true), 'reviewPercent', coalesce(b.review_percent, 5))) order by m.id)
    from market m left join auto_coin c on c.market_id = m.id left join auto_budget b on b.id = c.budget_id
    where m.id <= 2),
  'autoPayout.start', (select coalesce(json_agg(json_build_object('marketId', market_id, 'seen', updated_at,
      'causes', array(select s.id from auto_stop_cause s where s.market_id = auto_coin.market_id and s.handled_at is null
        order by s.id), 'reason', 'r') order by market_id), '[]') from auto_coin),
  'withdrawLimit.save', (select json_agg(json_strip_nulls(json_build_object('marketId', m.id, 'level', t.level,
      'groupId', t.group_id))::jsonb || jsonb_build_object('seen', coalesce(l.version, 0),
      'withdrawState', l.enabled::int, 'singleMin', trim_scale(l.min_amount)::text,
      'singleMax', trim_scale(l.max_amount)::text, 'dayAmount', trim_scale(l.day_amount)::text,
      'dayCount', l.day_count, 'feeFixed', trim_scale(l.fee_fixed)::text, 'feeRate', trim_scale(l.fee_rate)::text)
      order by m.id, t.level, t.group_id)
    from market m cross join (select n as level, null::bigint as group_id from generate_series(0, 2) n
      union all select null, id from user_group where deleted_at is null) t
    left join lateral (select * from withdraw_limit w where w.market_id = m.id and w.level is not distinct from t.level
      and w.group_id is not distinct from t.group_id order by version desc limit 1) l on true
    where m.id <= 2),
  'withdrawLimit.assign', (select json_agg(json_build_object('id', u.id, 'groupId', g.id) order by u.id, g.id)
    from users u, (select id from user_group where deleted_at is null union all select null) g
    where u.deleted_at is null),
  'withdrawLimit.groupSave', (select json_agg(json_build_object('id', id, 'name', name, 'forAgents', for_agents)
    order by id) from user_group where deleted_at is null),
  'withdrawLimit.groupDelete', (select json_agg(json_build_object('id', id) order by id)
    from user_group where deleted_at is null),
  'market.save', (select json_agg(json_build_object('id', id, 'version', version,
      'withdrawMin', trim_scale(withdraw_min)::text, 'withdrawMax', trim_scale(withdraw_max)::text,
      'withdrawFee', trim_scale(withdraw_fee)::text, 'takerFee', trim_scale(taker_fee)::text,
      'maxLeverage', max_leverage, 'spot', spot, 'state', state, 'withdrawState', withdraw_state,
      'rechargeState', recharge_state) order by id) from market),
  'second.configSave', (select json_agg(json_build_object('id', id, 'version', version,
      'payoutRate', trim_scale(payout_rate)::text, 'maxAmount', trim_scale(max_amount)::text, 'state', state)
      order by id) from second_config),
  'plan.save', (select json_agg(json_build_object('id', market_id, 'marketType', market_type,
      'minPrice', trim_scale(min_price)::text, 'maxPrice', trim_scale(max_price)::text,
      'planPrice', trim_scale(plan_price)::text, 'planState', watched, 'planMinute', plan_minute, 'version', version)
      order by id) from plan where min_price is not null),
  'gatewayKey.save', (select json_agg(json_build_object('id', id, 'seen', updated_at, 'name', name, 'rights', rights,
      'addresses', addresses, 'expiresAt', expires_at, 'nonce', nonce, 'reason', 'r') order by id)
    from gateway_key where revoked_at is null))`;

export async function fetchExistingValues(
  { server, lastHonest }: ModelWorld,
  touched: ExistingValues['touched'],
): Promise<ExistingValues> {
  const expiresAt = server.clock.now() + 1_000 * 3_600_000;
  const [row] = await server.query(sql<{ pools: ExistingValues }>`select json_build_object(
    'ids', json_build_object(
      'agent', array(select id from agent where deleted_at is null and parent_id is not null order by id),
      'user', array(select id from users where deleted_at is null order by id),
      'withdraw', array(select id from withdraw where state in (0, 1, 7, 8) order by id desc limit 30),
      'ieo', array(select id from ieo where state = 0 order by id desc limit 12),
      'recharge', array(select id from recharge where state in (0, 3) order by id desc limit 12),
      'approval', array(select id from approval where state = 0 order by id),
      'config', array(select id from config order by id),
      'history', array(select id from config_history order by id desc limit 40),
      'market', '{1,1,1,2,3}'::int[],
      'plan', array(select id from market order by id limit 3),
      'second', array(select id from second_config order by id),
      'gatewayKey', array(select id from gateway_key order by id),
      'rule', array(select id from rule order by id),
      'addressList', array(select id from address_entry where removed_at is null order by id)),
    'agents', array(select account from agent where deleted_at is null order by id),
    'saved', ${savedRows}::jsonb || jsonb_build_object(
      'agent.state', (select coalesce(json_agg(json_build_object('id', id, 'type', type, 'state', 1) order by id, type), '[]')
        from agent, unnest('{1,2,3,11,11,13}'::int[]) type where id > ${lastHonest} and deleted_at is null),
      'addressList.add', (select json_agg(json_build_object('list', list, 'address', 'T-' || n, 'network', '',
          'expiresAt', ${expiresAt}::bigint, 'reason', 'r') order by list, n)
        from generate_series(1, 3) list, generate_series(1, 2) n),
      'approval.cancel', (select coalesce(json_agg(json_build_object('id', id) order by id), '[]')
        from approval where state = 0),
      'approval.resubmit', (select coalesce(json_agg(json_build_object('id', id) order by id), '[]')
        from (select id from approval where state > 1 and result is not null order by id desc limit 8) a)),
    'touched', (select coalesce(json_agg(json_build_object('noun', split_part(action, '.', 1), 'input', input)
      order by id), '[]') from approval where state = 0)) as pools`);
  if (!row) throw new Error('The existing values cannot be read.');
  return { ...row.pools, touched: [...row.pools.touched, ...touched] };
}
