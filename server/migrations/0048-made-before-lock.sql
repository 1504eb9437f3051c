-- What was on record before a lock counts from now on. The holders whom the confirmer of a lock saw count as known, as if they
-- had been ticked: the audit row of the lock names them.

delete from operator_control c
using installation i, agent o
where i.four_eyes_locked_at is not null and c.created_at < i.four_eyes_locked_at
  and o.id = c.operator_id and o.created_at < i.four_eyes_locked_at
  and lower(o.account) in (
    select lower(holder ->> 'account')
    from (
      select a.after from audit a
      where a.target_type = 'installation' and a.target_id = 0 and a.action = 'approval.lock' and a.result = 200
      order by a.id desc limit 1
    ) locked, jsonb_array_elements(locked.after -> 'holders') holder);
