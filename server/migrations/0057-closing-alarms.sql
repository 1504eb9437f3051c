-- Who closed an alarm, and why. The table's row-level security covers the new columns.
alter table alarm add column closed_by text;
alter table alarm add column close_reason text not null default '';
alter table alarm add constraint alarm_closed_by_whom check ((closed_at is null) = (closed_by is null)) not valid;
create index alarm_id on alarm (agent_id, id desc);
