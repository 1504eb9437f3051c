-- Privileges and row-level security of the role that serves requests, {{app}}. It owns nothing.

grant usage on schema public to {{app}};
do $$
declare
  t text;
  app constant text := $q${{app}}$q$;
begin
  for t in select tablename from pg_tables where schemaname = current_schema() loop
    execute format('grant select on %I to %s', t, app);
  end loop;
end
$$;

-- Ids that are taken before their rows are written.
grant usage on sequence
  account_id_seq, agent_id_seq, alarm_id_seq, approval_id_seq, audit_id_seq, command_id_seq, config_id_seq,
  credential_change_id_seq, entry_id_seq, future_order_id_seq, hold_id_seq, internal_transfer_id_seq, leg_id,
  market_id_seq, policy_use_id_seq, recharge_id_seq, session_id_seq, tick_id_seq, trade_order_id_seq,
  transfer_id_seq, users_id_seq, withdraw_id_seq
to {{app}};

-- Tables missing in these lists are append-only, written by columns (below), or written by functions of the owner.
grant insert on
  account, adjustment, agent, agent_grant, alarm, announce, approval, approval_vote, audit, audit_head,
  audit_pending, audit_seal, auth, auth_look, branch_move, candle, closure, command, config, config_history,
  credential_change, device, entry, export_job, follow, fund_check, fund_day, fund_delta, fund_move, fund_sum,
  future_close, future_funding, future_order, hold, idempotency, ieo, inbox, internal_transfer, job_lease, leg,
  liability, liability_leaf, liability_node, login_guard, notice, operator_control, operator_rate, otp,
  otp_recovery, plan, plan_grant, policy_use, preference, recharge, reset_link, saved_view, second_alert,
  second_config, service, service_message, service_reply, session, session_token, signal, support_link, trade_fill,
  trade_order, transfer, user_login, user_note, users, withdraw
to {{app}};
grant update on
  agent, alarm, approval, auth_look, branch_move, command, command_seq, config, device, export_job, fund_book,
  fund_check, fund_day, fund_delta, fund_sum, hold, idempotency, internal_transfer, job_lease, liability,
  login_guard, notice_seq, operator_control, operator_rate, otp, otp_recovery, preference, recharge, reset_link,
  saved_view, service_reply, session, session_token, tree_version, users, withdraw
to {{app}};
grant delete on
  agent_grant, announce, audit_pending, closure, device, export_job, fund_day, fund_delta, fund_sum, idempotency,
  job_lease, liability_leaf, liability_node, login_guard, notice, operator_control, otp, otp_recovery, plan_grant,
  preference, saved_view, second_alert, second_config, service_reply, session, session_token, support_link,
  user_login
to {{app}};

-- Columns that may change. What was requested, traded or posted does not; a user who moves takes its rows along (agent_id).
-- Nobody renames a market or writes a price, a result or an end of a contract.
grant update (balance, agent_id, closed) on account to {{app}};
grant update (effective_at) on agent_grant to {{app}};
grant update (lang, title, content, platform, state, by_account, updated_at) on announce to {{app}};
grant update (state, reason, by_account, reviewed_at, updated_at, agent_id) on auth to {{app}};
grant update (agent_id) on adjustment, credential_change, entry, future_close, future_funding, second_contract,
  service_message, trade_fill, user_login, user_note to {{app}};
grant update (profit, state, closed_at, by_account, reason, updated_at, agent_id) on follow to {{app}};
grant update (close_amount, close_value, open_price, margin, held, realized, fee, funding, insured, take_profit,
  stop_loss, close_type, closing, state, by_account, reason, opened_at, ended_at, updated_at, agent_id) on
  future_order to {{app}};
grant update (state, reason, by_account, reviewed_at, second_by, updated_at, agent_id) on ieo to {{app}};
grant update (live, report_zone, past_from, past_reached, past_events, past_heard) on installation to {{app}};
grant insert (market_name, icon, spot, future, second, ieo, price_precision, amount_precision, min_amount, max_amount,
  maker_fee, taker_fee, max_leverage, maintenance_rate, withdraw_fee, withdraw_min, withdraw_max, recharge_state,
  withdraw_state, networks, sort, state, version, created_at, recorded_at, updated_at, updated_by) on market to
  {{app}};
grant update (icon, spot, future, second, ieo, price_precision, amount_precision, min_amount, max_amount, maker_fee,
  taker_fee, max_leverage, maintenance_rate, withdraw_fee, withdraw_min, withdraw_max, recharge_state, withdraw_state,
  networks, sort, state, version, updated_at, updated_by, halted_at, future_halted_at, second_halted_at) on market to
  {{app}};
grant update (seq, agent_id) on notice to {{app}};
grant update (min_price, max_price, plan_price, plan_minute, watched, inside, triggered_at, trigger_price, halted_by,
  resume_at, updated_by, version, updated_at) on plan to {{app}};
grant update (market_id, seconds, payout_rate, min_amount, max_amount, sort, state, version, updated_by, updated_at)
  on second_config to {{app}};
grant insert (no, user_id, agent_id, market_id, side, seconds, amount, payout_rate, tier, payout, config_id,
  config_version, tolerance, settle_at, created_at, recorded_at, updated_at) on second_contract to {{app}};
grant update (agent_id, state, assignee_id, received, read_count, last_id, last_text, last_side, last_at, updated_at)
  on service to {{app}};
grant update (title, market_id, side, leverage, price, take_profit, stop_loss, ratio, min_amount, max_amount,
  start_at, end_at, state, version, by_account, updated_at, published) on signal to {{app}};
grant update (agent_id, used_at) on support_link to {{app}};
grant update (filled, turnover, fee, frozen, state, by_account, reason, updated_at, agent_id) on trade_order to
  {{app}};

-- Functions run by the serving role. All others are for the owner, for triggers, or called by one of these.
revoke execute on function
  branch_of, branch_of_user, check_addresses, check_counters, compact_addresses, compact_counters, compute_addresses,
  compute_counters, count_table, counted_now, counter_keys, counter_level, counter_places, counters_paused, deltas_of_user,
  exceeds_branch_or_house, grow_counters, has_address_totals, has_counters, lock_four_eyes, move_counters, open_seconds,
  rebuild_addresses, rebuild_counters, record_ticks, settle_seconds, sums_of_user, user_in_scope, void_second
from public;
grant execute on function
  branch_of, branch_of_user, compact_addresses, compact_counters, counters_paused, deltas_of_user, exceeds_branch_or_house,
  has_address_totals, has_counters, lock_four_eyes, open_seconds, record_ticks, settle_seconds, sums_of_user, void_second
to {{app}};

-- Row-level security, the second enforcement of the scope; every statement limits itself as well. A transaction sees nothing
-- until it sets app.scope: 'all' for everything, or 'agents' with app.tree, and app.operator for rows of the operator itself.
-- app.tree is a bytea in hex in which bit n stands for the agent with id n. Its last byte is zero, and larger ids are looked
-- up there. Unset or empty it shows nothing.
do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  -- Not "= 1", which the planner estimates to be rare, so that it would read large tables row by row.
  in_tree constant text := format(
    $q$(get_bit((select %1$s), least(greatest(%%1$s, 0), (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
  own constant text := format(in_tree, 'agent_id');
  own_operator constant text := format(in_tree, 'operator_id');
  own_key constant text := format(in_tree, 'agent_key');
  of_own_record constant text := $q$(case command.ref_type
    when 'withdraw' then exists (select from withdraw r where r.id = command.ref_id)
    when 'recharge' then exists (select from recharge r where r.id = command.ref_id)
    when 'auth' then exists (select from auth r where r.id = command.ref_id)
    when 'ieo' then exists (select from ieo r where r.id = command.ref_id)
    when 'trade' then exists (select from trade_order r where r.id = command.ref_id)
    when 'future' then exists (select from future_order r where r.id = command.ref_id)
    when 'second' then exists (select from second_contract r where r.id = command.ref_id)
    when 'follow' then exists (select from follow r where r.id = command.ref_id)
    when 'message' then exists (select from service_message r where r.id = command.ref_id)
    when 'user' then exists (select from users r where r.id = command.ref_id)
    when 'entry' then exists (select from entry r where r.id = command.ref_id and r.user_id is not null)
    else false end)$q$;
begin
  -- Full scope. The serving role only reads counters. The policy `shared` is all that three tables need (see below).
  for t in select tablename from pg_tables where schemaname = current_schema() loop
    execute format('alter table %I enable row level security', t);
    if t like 'counter%' then
      execute format('create policy everything on %I for select using (%s)', t, scope_all);
    elsif t not in ('announce', 'notice_seq', 'signal') then
      execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    end if;
  end loop;

  -- Rows of everybody.
  foreach t in array array[
    'announce', 'approval_vote', 'audit_pending', 'audit_seal', 'branch_move', 'command_seq', 'config', 'installation', 'leg',
    'market', 'operator_control', 'policy_use', 'reset_link', 'schema_migration', 'second_config', 'signal', 'tick',
    'transfer', 'tree_version'
  ] loop
    execute format('create policy shared on %I using (%s) with check (%s)', t, scope_set, scope_set);
  end loop;
  foreach t in array array['candle', 'counter_time', 'fund_book', 'liability', 'liability_node'] loop
    execute format('create policy shared on %I for select using (%s)', t, scope_set);
  end loop;
  execute format('create policy shared on notice_seq using (%s) with check (%s)', scope_set, scope_all);

  -- Rows of users: those of the operator's tree.
  foreach t in array array[
    'account', 'alarm', 'approval', 'auth', 'credential_change', 'entry', 'follow', 'future_close', 'future_funding',
    'future_order', 'hold', 'ieo', 'internal_transfer', 'recharge', 'second_contract', 'service', 'service_message',
    'trade_fill', 'trade_order', 'users', 'withdraw'
  ] loop
    execute format('create policy own_tree on %I for select using (%s)', t, own);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, own);
    execute format('create policy own_tree_update on %I for update using (%s)', t, own);
  end loop;
  foreach t in array array['adjustment', 'fund_check', 'support_link', 'user_login', 'user_note'] loop
    execute format('create policy own_tree on %I using (%s) with check (%s)', t, own, own);
  end loop;
  -- A transfer is visible at both ends. A user who moves takes along the received end.
  execute format('create policy receiving_tree on internal_transfer for select using (%s)', format(in_tree, 'to_agent_id'));
  execute format('create policy receiving_tree_update on internal_transfer for update using (%s)',
    format(in_tree, 'to_agent_id'));
  -- Transfers post to house accounts as well.
  execute format('create policy house on account for select using (user_id is null and %s)', scope_set);
  execute format('create policy house_update on account for update using (user_id is null and %s)', scope_set);
  foreach t in array array['account', 'entry'] loop
    execute format('create policy house_insert on %I for insert with check (user_id is null and agent_id is null and %s)',
      t, scope_set);
  end loop;

  -- Agents of the tree. A new agent is inserted below the tree.
  execute format('create policy own_tree on agent for select using (%s or %s)',
    format(in_tree, 'id'), format(in_tree, 'parent_id'));
  execute format('create policy own_tree_insert on agent for insert with check (%s)', format(in_tree, 'parent_id'));
  execute format('create policy own_tree_update on agent for update using (%s)', format(in_tree, 'id'));
  -- A pair of an agent outside the tree would widen the scope.
  execute format('create policy own_tree on closure for select using (%s)', format(in_tree, 'descendant'));
  execute format('create policy own_tree_insert on closure for insert with check (
    exists (select from agent a where a.id = closure.descendant and (%s or %s)))',
    format(in_tree, 'a.id'), format(in_tree, 'a.parent_id'));
  execute format('create policy own_tree_delete on closure for delete using (%s)', format(in_tree, 'descendant'));
  execute format('create policy own_tree on agent_grant using (%s) with check (%s)', own_operator, own_operator);
  -- Operators end the sessions of agents below them.
  execute format('create policy own_tree on session for select using (%s)', own_operator);
  execute format('create policy own_tree_update on session for update using (%s)', own_operator);
  execute format('create policy own on session_token for select using (
    exists (select from session s where s.id = session_token.session_id and s.operator_id = %s))', operator);

  -- Rows of the operator itself.
  foreach t in array array['auth_look', 'export_job', 'idempotency', 'preference', 'saved_view', 'service_reply'] loop
    execute format('create policy own on %I using (operator_id = %s) with check (operator_id = %s)', t, operator, operator);
  end loop;
  -- A shared row is visible below its owner.
  foreach t in array array['saved_view', 'service_reply'] loop
    execute format('create policy from_above on %I for select using (shared = 1 and exists (
      select from closure c where c.ancestor = operator_id and c.descendant = %s))', t, operator);
  end loop;
  execute format('create policy own on plan_grant for select using (operator_id = %s)', operator);
  execute format('create policy granted on plan using (exists (
    select from plan_grant g where g.market_id = plan.market_id and g.operator_id = %s))', operator);

  -- Audit rows are sealed and keep their agent. Those about a user are visible where the user is now. The user is looked up
  -- by id, because a set of all users of the tree would be read for each audit row that is written.
  execute format('create policy own_tree on audit for select using (case when user_id is null then %s
    else exists (select from users u where u.id = audit.user_id) end)', own);
  execute format('create policy own_tree_insert on audit for insert with check (%s)', own);
  execute format('create policy own_tree_update on audit for update using (%s)', own);
  execute format('create policy write_along on config_history for insert with check (%s)', scope_set);

  -- A maker sees its requests, even if their target has left the tree. Requests about the house concern every approver.
  execute format('create policy own_requests on approval for select using (maker_id = %s)', operator);
  execute format($q$create policy house_requests on approval for select using (
    target_type in ('installation', 'config') and %s)$q$, scope_set);
  execute format($q$create policy house_requests_update on approval for update using (
    target_type in ('installation', 'config') and %s)$q$, scope_set);
  execute format('create policy own_tree on notice for select using (%s)', own);
  execute format('create policy own_tree_insert on notice for insert with check (%s or (agent_id is null and %s))',
    own, scope_set);
  execute format('create policy own_tree_update on notice for update using (%s)', own);
  execute format('create policy own_requests on notice for select using (operator_id = %s)', operator);

  -- An operator who sees a record sees the commands about it and can retry and resolve them. A command about no user is
  -- visible in full scope only.
  execute format('create policy write_along on command for insert with check (%s)', scope_set);
  execute format('create policy own_tree on command for select using (%s)', of_own_record);
  execute format('create policy own_tree_update on command for update using (%s)', of_own_record);

  -- Reports.
  foreach t in array array['fund_delta', 'fund_day', 'fund_sum'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, own_key);
  end loop;
  execute format('create policy own_tree_insert on fund_delta for insert with check (%s)', own_key);
  execute format('create policy own_tree_insert on fund_move for insert with check (%s and %s)',
    format(in_tree, 'agent_from'), format(in_tree, 'agent_to'));
  execute format('create policy own_users on liability_leaf for select using (
    exists (select from users u where u.id = liability_leaf.owner_id and %s))', format(in_tree, 'u.agent_id'));

  -- Counters.
  foreach t in array array['counter', 'counter_scope'] loop
    execute format('create policy own_tree on %I for select using (kind in (1, 2) and %s)', t, format(in_tree, 'key'));
    execute format('create policy own_users on %I for select using (kind = 3 and exists (
      select from users u where u.id = %1$I.key and %s))', t, format(in_tree, 'u.agent_id'));
  end loop;
  foreach t in array array['counter_delta', 'counter_address_delta', 'counter_address'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, own_key);
  end loop;
end
$$;
