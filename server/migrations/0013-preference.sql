-- What each operator likes, and the views of lists that it keeps. Values are JSON text: nothing here is ever searched.
create table preference (
  operator_id bigint not null references agent (id),
  key text not null check (length(key) between 1 and 100),
  value text not null check (octet_length(value) <= 8192),
  updated_at bigint not null,
  primary key (operator_id, key)
);

create table saved_view (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  list text not null,
  name text not null check (length(name) between 1 and 20),
  name_key text generated always as (lower(name)) stored,
  query text not null check (length(query) <= 2000),
  columns text check (octet_length(columns) <= 8192),
  shared smallint not null check (shared in (0, 1)),
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint saved_view_one_name unique (operator_id, list, name_key)
);

grant select, insert, update, delete on preference, saved_view to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['preference', 'saved_view'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy own on %I using (operator_id = %s) with check (operator_id = %s)', t, operator, operator);
  end loop;

  -- A shared view is read below its owner. A deleted operator has nobody below, so what it shared is gone with it.
  execute format(
    'create policy from_above on saved_view for select using (shared = 1 and exists (
       select from closure c where c.ancestor = operator_id and c.descendant = %s))',
    operator);
end
$$;
