-- One open alarm for each cause, and what happened again while it was open.
alter table alarm add column cause text;
create unique index alarm_cause on alarm (kind, cause) where closed_at is null and cause is not null;

-- Append-only. The key makes a repetition of the same occurrence have no effect.
create table alarm_occurrence (
  id bigint generated always as identity primary key,
  alarm_id bigint not null references alarm (id),
  key text not null,
  detail jsonb not null,
  created_at bigint not null,
  unique (alarm_id, key)
);
create index alarm_occurrence_latest on alarm_occurrence (alarm_id, id);

-- Visible with their alarm, which follows its user to another agent.
select protect('alarm_occurrence');
create policy of_alarm on alarm_occurrence for select using (
  exists (select from alarm a where a.id = alarm_occurrence.alarm_id));
create policy of_alarm_insert on alarm_occurrence for insert with check (
  exists (select from alarm a where a.id = alarm_occurrence.alarm_id));
grant select, insert on alarm_occurrence to {{app}};
