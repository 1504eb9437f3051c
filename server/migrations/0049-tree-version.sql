-- Which tree of agents stands: another text after every transaction that changes the closure, written in the statement that
-- changes it. Who has read an operator's agents need not read them again while it stays the same. Those who change the tree
-- wait here for each other, so that whoever sees a version sees every change up to it and none after it.
create table tree_version (
  one boolean primary key default true check (one),
  version text not null
);
insert into tree_version (version) values (gen_random_uuid()::text);

grant select, update on tree_version to {{app}};
alter table tree_version enable row level security;
do $$
declare
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
begin
  execute format('create policy everything on tree_version using (%s) with check (%s)', scope_all, scope_all);
  execute format('create policy shared on tree_version using (%s) with check (%s)', scope_set, scope_set);
end
$$;
