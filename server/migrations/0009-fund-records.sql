-- Reconciliation of entries: the entries themselves are never touched, so what somebody thinks of one stands beside it.
create table fund_check (
  entry_id bigint primary key references entry (id),
  agent_id bigint not null references agent (id),
  state smallint not null check (state in (0, 1, 2)),
  operator_id bigint not null references agent (id),
  updated_at bigint not null
);
grant select, insert, update on fund_check to {{app}};
alter table fund_check enable row level security;
create policy everything on fund_check
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on fund_check
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]))
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));

-- When the platform said that the money is there; a held recharge that arrived is credited by its release.
alter table recharge add column arrived_at bigint;
update recharge set arrived_at = coalesce(credited_at, updated_at) where state in (1, 3, 4);

-- A transfer is seen from both of its ends.
create policy receiving_tree on internal_transfer for select
  using (to_agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create index internal_transfer_to_agent on internal_transfer (to_agent_id, id desc);
create index entry_type on entry (type, id desc) where user_id is not null;
