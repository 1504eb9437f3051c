-- serves-from: 0044
-- Approvals of saves store the result: the lines of records that change, as they will be. Two open approvals of saves have no
-- line in common; of other actions there is one for each target, as before. Older servers name the index that changes.
lock table approval in access exclusive mode;
lock table market in access exclusive mode nowait;

alter table approval add column result jsonb;
alter table approval drop constraint approval_state_check;
alter table approval add constraint approval_state_check check (state between 0 and 5);

drop index approval_one_open;
create unique index approval_one_open on approval (action, target_type, target_id) where state = 0 and result is null;

-- The lines of open approvals, and of closed ones until another save takes a line.
create table approval_line (
  line text primary key,
  approval_id bigint not null references approval (id)
);
create index approval_line_approval on approval_line (approval_id);
grant select, insert, delete on approval_line to {{app}};

alter table approval_line enable row level security;
do $$
declare
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
begin
  execute format('create policy shared on approval_line using (%s) with check (%s)', scope_set, scope_set);
end $$;

-- The list of agents that may change the price protection of a market has a version of its own.
alter table market add column grant_version integer not null default 0;
grant update (grant_version) on market to {{app}};
