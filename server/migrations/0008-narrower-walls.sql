-- The second net is drawn closer: under it alone, a tree reads and writes nothing of another.

-- Money of the house is everybody's to move; that of a user, and what is noted about it, only inside the tree.
do $$
declare
  t text;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  -- Cast inside the sub-select, so that the ids are read once a statement and not once a row.
  in_scope constant text := $q$%s = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['account', 'entry', 'audit', 'approval'] loop
    execute format('drop policy write_along on %I', t);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, format(in_scope, 'agent_id'));
  end loop;
  foreach t in array array['account', 'entry'] loop
    execute format('create policy house_insert on %I for insert with check (user_id is null and agent_id is null and %s)',
      t, scope_set);
  end loop;

  -- Only who is put below the own tree gets lines in the closure: a foreign line would widen the scope itself.
  drop policy own_tree_insert on closure;
  execute format(
    'create policy own_tree_insert on closure for insert with check (exists (
       select from agent a where a.id = descendant and (%s or %s)))',
    format(in_scope, 'a.id'), format(in_scope, 'a.parent_id'));

  -- Sessions are ended by those above; nobody else's keys, answers and uses are anybody's business.
  foreach t in array array['session', 'session_token', 'device', 'idempotency', 'command'] loop
    execute format('drop policy shared on %I', t);
  end loop;
  execute format('create policy own_tree on session for select using (%s)', format(in_scope, 'operator_id'));
  execute format('create policy own_tree_update on session for update using (%s)', format(in_scope, 'operator_id'));
  execute format('create policy own on idempotency using (operator_id = %s) with check (operator_id = %s)', operator, operator);

  -- Commands are put in by whoever decides, and seen again by those who see the withdrawal that they are about.
  execute format('create policy write_along on command for insert with check (%s)', scope_set);
  create policy own_tree on command for select
    using (ref_type = 'withdraw' and exists (select from withdraw w where w.id = ref_id));
  create policy own_tree_update on command for update
    using (ref_type = 'withdraw' and exists (select from withdraw w where w.id = ref_id));
end
$$;
