-- The second operator that came with the simulator's demo and has the admin's password; null once it was disabled because
-- the simulator is off.
alter table installation add column demo_operator_id bigint;

update installation i
  set demo_operator_id = a.id
  from agent a
  where a.account = 'fuhe' and a.depth = 1 and a.created_at = i.created_at and a.deleted_at is null;
