-- Coins whose networks were given other families, with the rows that are to be keyed again. The job destination-keys does it in the
-- order of ids and deletes the line; until then these rows count as not known.
create table key_renewal (
  table_name text not null check (table_name in ('withdraw', 'recharge')),
  market_id bigint not null,
  -- Up to this id the rows are keyed again.
  after_id bigint not null default 0,
  -- The last row that was keyed by the families before.
  last_id bigint not null,
  primary key (table_name, market_id)
);
alter table key_renewal enable row level security;
create policy everything on key_renewal using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
grant select, insert, update, delete on key_renewal to {{app}};

alter table withdraw_fact add column risk_related_listed boolean;
