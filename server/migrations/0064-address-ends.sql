-- no-transaction
-- Addresses by their last four characters, and by both ends of a shortened form such as 0x24f0…00f4.
create index concurrently if not exists withdraw_address_ends on withdraw (right(lower(address), 4), left(lower(address), 4), agent_id);
create index concurrently if not exists recharge_address_ends on recharge (right(lower(address), 4), left(lower(address), 4), agent_id);

-- Up to `most` withdrawals and as many recharges of the caller's scope with an address that begins and ends so, ignoring case,
-- and of those to the same accounts, whatever their texts. `tail` has at least four characters; `head` as many, or none.
create or replace function find_by_account_ends(head text, tail text, most integer) returns table (ref_type text, id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  with ends as materialized (
    select lower(head) as head, lower(tail) as tail, current_setting('app.scope', true) = 'all' as in_full, agents_in_scope() as agents
    where length(tail) >= 4 and length(head) not between 1 and 3
  ), typed as materialized (
    (select 'withdraw' as ref_type, w.id, w.account_key from ends e, withdraw w
      where right(lower(w.address), 4) = right(e.tail, 4) and right(lower(w.address), length(e.tail)) = e.tail
        and (e.head = '' or left(lower(w.address), 4) = left(e.head, 4) and starts_with(lower(w.address), e.head))
        and (e.in_full or w.agent_id = any(e.agents)) limit most)
    union all
    (select 'recharge', r.id, r.account_key from ends e, recharge r
      where right(lower(r.address), 4) = right(e.tail, 4) and right(lower(r.address), length(e.tail)) = e.tail
        and (e.head = '' or left(lower(r.address), 4) = left(e.head, 4) and starts_with(lower(r.address), e.head))
        and (e.in_full or r.agent_id = any(e.agents)) limit most)
  ), account as materialized (
    select distinct t.account_key from typed t where t.account_key is not null
  )
  select t.ref_type, t.id from typed t
  union
  (select 'withdraw', w.id from account a join withdraw w using (account_key), ends e
    where e.in_full or w.agent_id = any(e.agents) limit most)
  union
  (select 'recharge', r.id from account a join recharge r using (account_key), ends e
    where e.in_full or r.agent_id = any(e.agents) limit most)
$$;
revoke execute on function find_by_account_ends from public;
grant execute on function find_by_account_ends to {{app}};
