-- The audit log has no counters: its total is a count of the rows that match. The policy of the tree looks for the user of each
-- row, among all users. In full scope it must answer before that.

alter policy own_tree on audit using (case
  when (select current_setting('app.scope', true)) = 'all' then true
  when user_id is null then (get_bit((select nullif(current_setting('app.tree', true), '')::bytea), least(greatest(agent_id, 0),
    (select octet_length(nullif(current_setting('app.tree', true), '')::bytea)::bigint * 8 - 1))) <> 0)
  else exists (select from users u where u.id = audit.user_id) end);
