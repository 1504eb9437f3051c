-- Every halt of a market's trading, by price protection or by an operator, with its end. `plan` keeps the last one only.
create table halt (
  id bigint generated always as identity primary key,
  market_id bigint not null,
  -- 1 spot, 2 futures, 3 binary contracts.
  market_type smallint not null check (market_type in (1, 2, 3)),
  triggered_at bigint not null,
  -- Either the price that left the band, with the band, or the operator is set.
  trigger_price numeric(36, 18),
  min_price numeric(36, 18),
  max_price numeric(36, 18),
  halted_by text,
  reason text not null,
  -- When trading is to resume by itself.
  resume_at bigint not null,
  -- When it resumed; null while it is halted.
  resumed_at bigint,
  -- Who ended the halt early; null if its time was over.
  resumed_by text,
  recorded_at bigint not null
);
create index halt_market on halt (market_id, market_type, id desc);
create unique index halt_lasting on halt (market_id, market_type) where resumed_at is null;

insert into halt (market_id, market_type, triggered_at, trigger_price, min_price, max_price, halted_by, reason, resume_at,
  recorded_at)
select market_id, market_type, triggered_at, trigger_price, case when halted_by is null then min_price end,
  case when halted_by is null then max_price end, halted_by, '', resume_at, triggered_at
from plan where resume_at is not null and triggered_at is not null;

-- Visible with the plan.
alter table halt enable row level security;
create policy everything on halt
  using ((select current_setting('app.scope', true)) = 'all') with check ((select current_setting('app.scope', true)) = 'all');
create policy granted on halt
  using (exists (select from plan p where p.market_id = halt.market_id and p.market_type = halt.market_type))
  with check (exists (select from plan p where p.market_id = halt.market_id and p.market_type = halt.market_type));
grant select, insert on halt to {{app}};
grant update (resumed_at, resumed_by) on halt to {{app}};
