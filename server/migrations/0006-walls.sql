-- The role that serves requests owns nothing, and sees nothing unless its transaction says whose rows it may see:
-- app.scope = 'all', or 'agents' with the ids in app.agents. This is the second net; every statement scopes itself.

grant usage on schema public to {{app}};
grant select on all tables in schema public to {{app}};
grant usage on all sequences in schema public to {{app}};

grant insert on
  agent, closure, users, credential_change, market, tick, config, account, transfer, entry, leg, hold, recharge, withdraw,
  internal_transfer, alarm, session, session_token, device, login_guard, idempotency, audit, audit_pending, audit_seal,
  approval, policy_use, job_lease, inbox, command
to {{app}};

-- No update or delete of entries, legs, transfers, ticks, audit rows, seals and applied events.
grant update on
  agent, users, market, config, recharge, withdraw, internal_transfer, alarm, session, session_token, device, login_guard,
  idempotency, approval, job_lease, command, command_seq, hold
to {{app}};
grant update (balance, agent_id) on account to {{app}};
grant update (live, report_zone) on installation to {{app}};
grant delete on closure, session_token, login_guard, idempotency, audit_pending, job_lease to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  -- Cast inside the sub-select, so that the ids are read once a statement and not once a row.
  in_scope constant text := $q$%I = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  for t in select tablename from pg_tables where schemaname = 'public' loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;

  -- Rows of users.
  foreach t in array array[
    'users', 'credential_change', 'hold', 'recharge', 'withdraw', 'internal_transfer', 'audit', 'approval', 'alarm', 'entry', 'account'
  ] loop
    execute format('create policy own_tree on %I for select using (%s)', t, format(in_scope, 'agent_id'));
    execute format('create policy own_tree_update on %I for update using (%s)', t, format(in_scope, 'agent_id'));
  end loop;
  foreach t in array array['users', 'credential_change', 'hold', 'recharge', 'withdraw', 'internal_transfer', 'alarm'] loop
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, format(in_scope, 'agent_id'));
  end loop;
  -- A maker sees its own requests, wherever their target is now.
  execute format('create policy own_requests on approval for select using (%s)',
    $q$maker_id = nullif((select current_setting('app.operator', true)), '')::bigint$q$);
  -- The money of a transfer may come from or go to the house; audit rows and approvals are written about anything seen.
  foreach t in array array['account', 'entry', 'audit', 'approval'] loop
    execute format('create policy write_along on %I for insert with check (%s)', t, scope_set);
  end loop;
  execute format('create policy house on account for select using (user_id is null and %s)', scope_set);
  execute format('create policy house_update on account for update using (user_id is null and %s)', scope_set);

  -- Agents: the own tree, and who is put right below it.
  execute format('create policy own_tree on agent for select using (%s or %s)',
    format(in_scope, 'id'), format(in_scope, 'parent_id'));
  execute format('create policy own_tree_update on agent for update using (%s)', format(in_scope, 'id'));
  execute format('create policy own_tree_insert on agent for insert with check (%s)', format(in_scope, 'parent_id'));
  execute format('create policy own_tree on closure for select using (%s)', format(in_scope, 'descendant'));
  execute format('create policy own_tree_insert on closure for insert with check (%s)', scope_set);

  -- Rows that belong to nobody's tree.
  foreach t in array array[
    'installation', 'market', 'tick', 'config', 'transfer', 'leg', 'session', 'session_token', 'device', 'idempotency',
    'audit_pending', 'audit_seal', 'policy_use', 'command', 'command_seq', 'schema_migration'
  ] loop
    execute format('create policy shared on %I using (%s) with check (%s)', t, scope_set, scope_set);
  end loop;
end
$$;
