-- Every version of the terms of binary contracts, because contracts name the version that they were opened with. Append-only,
-- also when the setting is deleted. Versions before this migration are in the audit log.
create table second_config_version (
  config_id bigint not null,
  version integer not null,
  -- Null: for every market without a row of its own for this length.
  market_id bigint,
  seconds integer not null,
  payout_rate numeric(36, 18) not null,
  min_amount numeric(36, 18) not null,
  max_amount numeric(36, 18) not null,
  sort integer not null,
  state smallint not null,
  by_account text,
  created_at bigint not null,
  primary key (config_id, version)
);

create function keep_second_config() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into second_config_version (config_id, version, market_id, seconds, payout_rate, min_amount, max_amount, sort,
    state, by_account, created_at)
  values (new.id, new.version, new.market_id, new.seconds, new.payout_rate, new.min_amount, new.max_amount, new.sort,
    new.state, new.updated_by, new.updated_at);
  return null;
end;
$$;
revoke execute on function keep_second_config() from public;

-- A restore, which pauses the counters as well, brings the versions itself.
create trigger keep_version_added after insert on second_config for each row
  when (not counters_paused()) execute function keep_second_config();
create trigger keep_version_changed after update on second_config for each row
  when (old.version <> new.version and not counters_paused()) execute function keep_second_config();

insert into second_config_version (config_id, version, market_id, seconds, payout_rate, min_amount, max_amount, sort, state,
  by_account, created_at)
select id, version, market_id, seconds, payout_rate, min_amount, max_amount, sort, state, updated_by, updated_at
from second_config;

-- Settings belong to no tree.
alter table second_config_version enable row level security;
create policy shared on second_config_version for select
  using ((select coalesce(current_setting('app.scope', true), '')) <> '');
grant select on second_config_version to {{app}};
