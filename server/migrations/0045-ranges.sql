-- Of whom very many rows are counted, these are counted by ranges of accounts as well, so that a list of all whose accounts
-- begin alike is made of whole ranges and of the few rows at both ends. A range goes from its first account to the next one's.
create table roll_range (
  id bigint generated always as identity primary key,
  noun smallint not null,
  -- Whose rows, as roll_sum has it; never a user's.
  kind smallint not null,
  key bigint not null,
  first text collate "C" not null,
  -- With more rows than these it is divided.
  most bigint not null,
  unique (noun, kind, key, first)
);
-- roll_sum, roll_grid and roll_block have them as kind 4, under their ids.

grant select, insert, update, delete on roll_range to {{app}};
do $$
declare
  t text;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format(
    $q$(get_bit((select %1$s), least(greatest(key, 0), (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
begin
  alter table roll_range enable row level security;
  execute format('create policy everything on roll_range using (%s) with check (%s)', scope_all, scope_all);
  execute format('create policy own_tree on roll_range using (kind in (1, 2) and %s) with check (kind in (1, 2) and %1$s)', in_tree);
  foreach t in array array['roll_sum', 'roll_grid', 'roll_block'] loop
    execute format('create policy own_ranges on %I %s using (kind = 4 and exists (select from roll_range r where r.id = %1$I.key))',
      t, case when t <> 'roll_grid' then 'for select' end);
  end loop;
end
$$;

-- Who has as many rows already begins with one range, which the job divides.
with large as (
  insert into roll_range (noun, kind, key, first, most)
  select noun, kind, key, '', 0 from roll_sum where kind < 3 and noun <> 4 group by noun, kind, key having sum(n) > 1000000
  returning noun, id
)
insert into roll_grid (noun, kind, key) select noun, 4, id from large;
