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
revoke execute on function protect from public;
