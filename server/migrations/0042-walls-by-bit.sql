-- What an operator may see was a list of agents that each statement made a set of, once for each table that it reads: of an
-- operator with thousands of agents below it that took longer than the reading. app.tree has a bit for each agent instead
-- (bytea in hex, bit n of an agent's id n), which is looked at where it stands. Its last byte is zero, and every id beyond is
-- taken for a bit of it; nobody's rows belong to whom there is no bit for. Unset or empty it shows nothing.
do $$
declare
  t text;
  left_over text;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  -- Not "= 1": the planner takes that for rare, and would read large tables row by row.
  in_tree constant text := format(
    $q$(get_bit((select %1$s), least(greatest(%%1$s, 0), (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
  own constant text := format(in_tree, 'agent_id');
  own_operator constant text := format(in_tree, 'operator_id');
  own_key constant text := format(in_tree, 'agent_key');
  own_rolled constant text := 'kind in (1, 2) and ' || format(in_tree, 'key');
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
begin
  foreach t in array array[
    'account', 'alarm', 'approval', 'auth', 'credential_change', 'entry', 'follow', 'future_close', 'future_funding',
    'future_order', 'hold', 'ieo', 'internal_transfer', 'recharge', 'second_contract', 'service', 'service_message',
    'trade_fill', 'trade_order', 'users', 'withdraw'
  ] loop
    execute format('alter policy own_tree on %I using (%s)', t, own);
    execute format('alter policy own_tree_insert on %I with check (%s)', t, own);
    execute format('alter policy own_tree_update on %I using (%s)', t, own);
  end loop;
  foreach t in array array['adjustment', 'fund_check', 'support_link', 'user_login', 'user_note'] loop
    execute format('alter policy own_tree on %I using (%s) with check (%s)', t, own, own);
  end loop;
  execute format('alter policy own_tree on agent_grant using (%s) with check (%s)', own_operator, own_operator);
  execute format('alter policy own_tree on session using (%s)', own_operator);
  execute format('alter policy own_tree_update on session using (%s)', own_operator);

  execute format('alter policy own_tree on audit using (case when user_id is null then %s
    else exists (select from users u where u.id = audit.user_id) end)', own);
  execute format('alter policy own_tree_insert on audit with check (%s)', own);
  execute format('alter policy own_tree_update on audit using (%s)', own);
  execute format('alter policy own_tree on notice using (%s)', own);
  execute format('alter policy own_tree_insert on notice with check (%s or (agent_id is null and %s))', own, scope_set);
  execute format('alter policy own_tree_update on notice using (%s)', own);
  execute format('alter policy receiving_tree on internal_transfer using (%s)', format(in_tree, 'to_agent_id'));
  execute format('alter policy receiving_tree_update on internal_transfer using (%s)', format(in_tree, 'to_agent_id'));

  execute format('alter policy own_tree on agent using (%s or %s)', format(in_tree, 'id'), format(in_tree, 'parent_id'));
  execute format('alter policy own_tree_insert on agent with check (%s)', format(in_tree, 'parent_id'));
  execute format('alter policy own_tree_update on agent using (%s)', format(in_tree, 'id'));
  execute format('alter policy own_tree on closure using (%s)', format(in_tree, 'descendant'));
  execute format('alter policy own_tree_delete on closure using (%s)', format(in_tree, 'descendant'));
  execute format('alter policy own_tree_insert on closure with check (
    exists (select from agent a where a.id = closure.descendant and (%s or %s)))',
    format(in_tree, 'a.id'), format(in_tree, 'a.parent_id'));

  foreach t in array array['roll_sum', 'roll_grid', 'roll_block'] loop
    execute format('alter policy own_tree on %I using (%s) with check (%s)', t, own_rolled, own_rolled);
    execute format('alter policy own_users on %I using (kind = 3 and exists (select from users u where u.id = %I.key and %s))',
      t, t, format(in_tree, 'u.agent_id'));
  end loop;
  foreach t in array array['roll_delta', 'fund_delta'] loop
    execute format('alter policy own_tree on %I using (%s)', t, own_key);
    execute format('alter policy own_tree_insert on %I with check (%s)', t, own_key);
  end loop;
  execute format('alter policy own_tree on fund_day using (%s)', own_key);
  execute format('alter policy own_tree on fund_sum using (%s)', own_key);
  execute format('alter policy own_tree_insert on fund_move with check (%s and %s)',
    format(in_tree, 'agent_from'), format(in_tree, 'agent_to'));
  execute format('alter policy own_users on liability_leaf using (
    exists (select from users u where u.id = liability_leaf.owner_id and %s))', format(in_tree, 'u.agent_id'));

  select string_agg(tablename || '.' || policyname, ', ') into left_over
    from pg_policies where coalesce(qual, '') || coalesce(with_check, '') like '%app.agents%';
  if left_over is not null then
    raise exception 'walls by the former setting: %', left_over;
  end if;
end
$$;

create or replace function void_second(contract bigint, why text, maker text, checker text, recorded bigint) returns bigint
language sql
security definer
set search_path = public, pg_temp
as $$
  with moved as (
    update second_contract c set state = 2, reason = why, by_account = maker, second_by = checker, settled_at = recorded,
      updated_at = recorded
    where c.id = contract and c.state = 0
      and not exists (select from tick k where k.market_id = c.market_id and k.at >= c.settle_at)
      and (current_setting('app.scope', true) = 'all'
        or get_bit(nullif(current_setting('app.tree', true), '')::bytea,
          least(greatest(c.agent_id, 0), octet_length(nullif(current_setting('app.tree', true), '')::bytea)::bigint * 8 - 1)) <> 0)
    returning c.id
  )
  select count(*) from moved;
$$;
