-- Every value that a setting ever had: who changed it, when, why. Written with the change and never again.
alter table config add column by_account text;

create table config_history (
  id bigint generated always as identity primary key,
  config_id bigint not null references config (id),
  before_str text not null,
  before_num numeric(36, 18) not null,
  before_state integer not null,
  after_str text not null,
  after_num numeric(36, 18) not null,
  after_state integer not null,
  by_account text not null,
  by_key text generated always as (lower(by_account)) stored,
  reason text not null default '',
  -- The change whose value this one brought back.
  restored_id bigint references config_history (id),
  request_id text not null,
  created_at bigint not null,
  recorded_at bigint not null
);
create index config_history_of on config_history (config_id, id desc);
create index config_history_at on config_history (created_at);

-- What was changed before this table was there is known from the audit.
insert into config_history (config_id, before_str, before_num, before_state, after_str, after_num, after_state, by_account,
  reason, request_id, created_at, recorded_at)
select c.id, a.before ->> 'str', (a.before ->> 'num')::numeric, (a.before ->> 'state')::integer,
  a.after ->> 'str', (a.after ->> 'num')::numeric, (a.after ->> 'state')::integer,
  a.operator, a.reason, a.request_id, a.created_at, a.recorded_at
from audit a join config c on c.id = a.target_id
where a.target_type = 'config' and a.action = 'config.save' and a.result = 200 and a.operator is not null
  and (a.before ->> 'str', a.before ->> 'num', a.before ->> 'state')
    is distinct from (a.after ->> 'str', a.after ->> 'num', a.after ->> 'state')
order by a.id;
update config c set by_account = last.by_account
from (select distinct on (config_id) config_id, by_account from config_history order by config_id, id desc) last
where last.config_id = c.id;

-- Whoever may change a setting adds to it; those who oversee the whole house read it; nobody changes it.
grant select, insert on config_history to {{app}};
alter table config_history enable row level security;
create policy everything on config_history
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy write_along on config_history for insert
  with check ((select coalesce(current_setting('app.scope', true), '')) <> '');
