-- What an operator added, took, froze or released by hand. The money is in the entries (ref_type 'adjustment'); this row
-- says what the entries cannot: whether reports count it as a recharge or withdrawal, who asked and who agreed.
-- action: 1 add, 2 subtract, 3 freeze, 4 release. Append-only, as the entries are.
create table adjustment (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  platform smallint not null check (platform between 1 and 4),
  action smallint not null check (action between 1 and 4),
  amount numeric(36, 18) not null check (amount > 0),
  state smallint not null check (state in (0, 1)),
  reason text not null,
  operator_id bigint not null references agent (id),
  checker_id bigint references agent (id),
  created_at bigint not null,
  recorded_at bigint not null
);
create index adjustment_user on adjustment (user_id, id desc);
create index adjustment_agent on adjustment (agent_id, id desc);
create index adjustment_counted on adjustment (created_at) where state = 1 and action in (1, 2);

grant select, insert on adjustment to {{app}};
-- user/agent/change takes a user's rows along; nothing else of them may change.
grant update (agent_id) on adjustment to {{app}};
alter table adjustment enable row level security;
create policy everything on adjustment
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on adjustment
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]))
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
