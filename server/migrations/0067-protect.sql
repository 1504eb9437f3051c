-- Row-level security of a new table, in the form of 0010-scope.sql: its rows are visible in the tree of the agent in a column,
-- or, without one, with full scope only.
create function protect(target regclass, agent_column name default null) returns void language plpgsql as $function$
declare
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format(
    $q$(get_bit((select %1$s), least(greatest(%2$s, 0), (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$,
    bits, quote_ident(agent_column));
begin
  execute format('alter table %s enable row level security', target);
  execute format('create policy everything on %s using (%s) with check (%s)', target, scope_all, scope_all);
  if agent_column is null then return; end if;
  execute format('create policy own_tree on %s for select using (%s)', target, in_tree);
  execute format('create policy own_tree_insert on %s for insert with check (%s)', target, in_tree);
  execute format('create policy own_tree_update on %s for update using (%s)', target, in_tree);
end
$function$;

-- Lets operators work on the records of a table that they see as a queue of this kind: claims, marks, and who looks at one.
create function protect_review(kind text, target regclass) returns void language plpgsql as $function$
declare
  t text;
  name constant text := 'of_' || kind;
  seen constant text := $q$(%1$I.target_type = %2$L and exists (select from %3$s r where r.id = %1$I.target_id))$q$;
  own constant text := $q$operator_id = nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['claim', 'queue_item', 'queue_event'] loop
    execute format('create policy %1$I on %2$I using (%3$s) with check (%3$s)', name, t, format(seen, t, kind, target));
  end loop;
  execute format('create policy %I on viewer for select using (%s)', name, format(seen, 'viewer', kind, target));
  execute format('create policy %1$I on viewer using (%2$s) with check (%2$s and %3$s)', 'own_' || name, own,
    format(seen, 'viewer', kind, target));
end
$function$;
revoke execute on function protect, protect_review from public;
