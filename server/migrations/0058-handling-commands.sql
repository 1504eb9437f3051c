-- Who last retried a command or resolved its unknown outcome.
alter table command add column by_account text;
create index command_attention on command (id) where state in (3, 4);

-- An operator who sees a record sees the commands about it and may change them: an operator of a tree retries and resolves the
-- commands of its own users. A command about no user is visible to operators who see everything.
drop policy own_tree on command;
drop policy own_tree_update on command;
drop policy own_orders on command;
drop policy own_positions on command;
drop policy own_seconds on command;
drop policy own_follows on command;
drop policy own_messages on command;
do $$
declare
  of_own_record constant text := $q$(case command.ref_type
    when 'withdraw' then exists (select from withdraw r where r.id = command.ref_id)
    when 'recharge' then exists (select from recharge r where r.id = command.ref_id)
    when 'auth' then exists (select from auth r where r.id = command.ref_id)
    when 'ieo' then exists (select from ieo r where r.id = command.ref_id)
    when 'trade' then exists (select from trade_order r where r.id = command.ref_id)
    when 'future' then exists (select from future_order r where r.id = command.ref_id)
    when 'second' then exists (select from second_contract r where r.id = command.ref_id)
    when 'follow' then exists (select from follow r where r.id = command.ref_id)
    when 'message' then exists (select from service_message r where r.id = command.ref_id)
    when 'user' then exists (select from users r where r.id = command.ref_id)
    when 'entry' then exists (select from entry r where r.id = command.ref_id and r.user_id is not null)
    else false end)$q$;
begin
  execute format('create policy own_tree on command for select using (%s)', of_own_record);
  execute format('create policy own_tree_update on command for update using (%s)', of_own_record);
end
$$;
