-- Who has a waiting record open. No history: the row of a tab is deleted when the tab closes its record.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table agent in share row exclusive mode;

create table viewer (
  operator_id bigint not null references agent (id),
  tab text not null,
  target_type text not null,
  target_id bigint not null,
  lease_until bigint not null,
  primary key (operator_id, tab)
);
create index viewer_target on viewer (target_type, target_id);

do $$
declare
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  own constant text := $q$operator_id = nullif((select current_setting('app.operator', true)), '')::bigint$q$;
  -- The policies of the record's table limit the subquery.
  of_record constant text := $q$(case viewer.target_type
    when 'withdraw' then exists (select from withdraw r where r.id = viewer.target_id)
    when 'auth' then exists (select from auth r where r.id = viewer.target_id)
    when 'ieo' then exists (select from ieo r where r.id = viewer.target_id)
    when 'approval' then exists (select from approval r where r.id = viewer.target_id)
    when 'alarm' then exists (select from alarm r where r.id = viewer.target_id)
    when 'recharge' then exists (select from recharge r where r.id = viewer.target_id)
    else false end)$q$;
begin
  alter table viewer enable row level security;
  execute format('create policy everything on viewer using (%1$s) with check (%1$s)', scope_all);
  execute format('create policy of_record on viewer for select using (%s)', of_record);
  -- A tab leaves a record also after the record moved out of its operator's tree.
  execute format('create policy own on viewer using (%1$s) with check (%1$s and %2$s)', own, of_record);
end
$$;
grant select, insert, delete on viewer to {{app}};
grant update (target_type, target_id, lease_until) on viewer to {{app}};
