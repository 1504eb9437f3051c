-- Who granted an ability to an agent, and when. agent.abilities stays what every request reads; a row here belongs to each
-- of its values and comes and goes with it. What was granted before this table has no known grantor.
create table agent_grant (
  operator_id bigint not null references agent (id),
  ability integer not null check (ability between 1 and 13),
  -- The account as it was then: grantors may stand above those who read it, and they may be deleted later.
  granted_by text,
  granted_at bigint,
  primary key (operator_id, ability)
);
insert into agent_grant (operator_id, ability) select distinct a.id, held from agent a cross join unnest(a.abilities) held;

grant select, insert, delete on agent_grant to {{app}};

do $$
declare
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  -- Cast inside the sub-select, so that the ids are read once a statement and not once a row.
  in_scope constant text := $q$%s = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  alter table agent_grant enable row level security;
  execute format('create policy everything on agent_grant using (%s) with check (%s)', scope_all, scope_all);
  execute format('create policy own_tree on agent_grant using (%s) with check (%s)',
    format(in_scope, 'operator_id'), format(in_scope, 'operator_id'));
end
$$;

-- How many users each agent has, counted in the index alone.
create index users_of_agent on users (agent_id) where deleted_at is null;
