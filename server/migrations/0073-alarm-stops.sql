-- What stops the automatic payouts of a coin on a platform: alarms as well, the key of the gateway by which it came, and when
-- the stop was announced. The platform is that of the withdrawal's user.
lock table auto_stop_cause in access exclusive mode;
lock table alarm_occurrence in access exclusive mode nowait;

alter table auto_stop_cause
  add column alarm_id bigint,
  -- The latest occurrence of the alarm when the cause was recorded, 0 without one. A later one is another cause.
  add column occurrence_id bigint,
  -- 0: a key of the environment.
  add column key_id bigint,
  add column noticed_at bigint,
  drop constraint auto_stop_cause_why_check,
  add constraint auto_stop_cause_why_check check (why in ('failed', 'unknown', 'silent', 'large', 'rule', 'alarm')),
  add constraint auto_stop_cause_alarm_check check ((why = 'alarm') = (alarm_id is not null and occurrence_id is not null));
create unique index auto_stop_cause_alarm on auto_stop_cause (alarm_id, occurrence_id) where alarm_id is not null;
grant update (noticed_at) on auto_stop_cause to {{app}};

-- 0: a key of the environment; null: no key of the gateway.
alter table alarm_occurrence add column key_id bigint;

-- Causes are recorded for coins that are switched on. Those of the others would have to be looked at before the first start.
update auto_stop_cause s set handled_at = s.created_at
where s.handled_at is null and not exists (
  select from auto_coin c join auto_budget b on b.id = c.budget_id where c.market_id = s.market_id and b.enabled);
