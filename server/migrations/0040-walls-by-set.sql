-- Of a request with thousands of agents an array is searched through once for each row that is read; a set is hashed once a
-- statement. The big lists' own tables have it already, those that they join and the lists of trades have it now.
do $$
declare
  t text;
  in_scope constant text := $q$%s in (select unnest(nullif(current_setting('app.agents', true), '')::bigint[]))$q$;
begin
  foreach t in array array[
    'auth', 'fund_check', 'follow', 'future_close', 'future_funding', 'future_order', 'ieo', 'second_contract', 'service', 'trade_fill',
    'trade_order'
  ] loop
    execute format('alter policy own_tree on %I using (%s)', t, format(in_scope, 'agent_id'));
  end loop;
  execute format('alter policy own_tree on agent using (%s or %s)', format(in_scope, 'id'), format(in_scope, 'parent_id'));
  execute format('alter policy own_tree on closure using (%s)', format(in_scope, 'descendant'));
end
$$;
