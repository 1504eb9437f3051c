-- Finds users by any part of account and remark, and records by the first or last six characters of addresses, hashes and IPs.
-- Decision 027 explains the indexes and why owner's functions read them: an index condition on LIKE or left() is not
-- leakproof, so row-level security would keep the planner from using it.

-- The neighbouring pairs of characters of a text. A text that contains a part has all pairs of the part.
create function character_pairs(of_text text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  pairs text[] := '{}';
begin
  for n in 1 .. length(of_text) - 1 loop
    pairs := pairs || substr(of_text, n, 2);
  end loop;
  return pairs;
end $$;

alter table users add column search_text text generated always as (lower(account) || E'\n' || lower(remark)) stored;
-- For full scope. A pending list would have to be read by each search.
create index users_pairs on users using gin (character_pairs(search_text)) with (fastupdate = off);
-- For a tree: its own users and no others, by an index-only scan.
create index users_search on users (agent_id) include (id, search_text);

-- The agents of the caller's tree; empty for full scope and without scope. See 0010-scope.sql.
create function agents_in_scope() returns bigint[] language plpgsql stable set search_path = public, pg_temp as $$
declare
  bits constant bytea := nullif(current_setting('app.tree', true), '')::bytea;
begin
  return (select coalesce(array_agg(a.id order by a.id), '{}') from agent a
    where current_setting('app.scope', true) = 'agents'
      and get_bit(bits, least(a.id, octet_length(bits)::bigint * 8 - 1)) <> 0);
end $$;

-- Up to `most` users of the caller's scope whose account contains the part; with remarks, also those whose remark contains it,
-- without deleted users. In full scope, accounts that begin with the part come first. For a tree, the work depends on its users only.
create function find_users(part text, remarks boolean, most integer) returns setof bigint
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  needle constant text := lower(part);
  pattern constant text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  -- Read in a sub-select, which hides it from the planner: it would estimate every element.
  agents constant bigint[] := agents_in_scope();
begin
  if needle = '' then
    return;
  elsif current_setting('app.scope', true) = 'all' then
    return query
      (select u.id from users u
        where u.account_key ~>=~ needle and u.account_key ~<~ (needle || chr(1114111)) and not (remarks and u.deleted_at is not null)
        order by u.account_key using ~<~ limit most)
      union
      (select u.id from users u
        where (length(needle) < 2 or character_pairs(u.search_text) @> character_pairs(needle)) and u.search_text like pattern
          and (u.deleted_at is null or not remarks) and (remarks or u.account_key like pattern)
        limit most);
  elsif remarks then
    return query select u.id from users u
      where u.id = any(array(select f.id from users f where f.agent_id = any((select agents)::bigint[]) and f.search_text like pattern))
        and u.deleted_at is null
      order by u.account_key = needle desc, starts_with(u.account_key, needle) desc, u.account_key limit most;
  else
    return query select u.id from users u
      where u.id = any(array(select f.id from users f where f.agent_id = any((select agents)::bigint[]) and f.search_text like pattern))
        and u.account_key like pattern limit most;
  end if;
end $$;

-- The agent is in the index, so that a tree reads the rows of its own agents only.
create index withdraw_address_head on withdraw (left(lower(address), 6), agent_id);
create index withdraw_address_tail on withdraw (right(lower(address), 6), agent_id);
create index withdraw_hash_head on withdraw (left(lower(tx_hash), 6), agent_id) where tx_hash <> '';
create index withdraw_hash_tail on withdraw (right(lower(tx_hash), 6), agent_id) where tx_hash <> '';
create index recharge_address_head on recharge (left(lower(address), 6), agent_id);
create index recharge_address_tail on recharge (right(lower(address), 6), agent_id);
create index recharge_hash_head on recharge (left(lower(tx_hash), 6), agent_id) where tx_hash <> '';
create index recharge_hash_tail on recharge (right(lower(tx_hash), 6), agent_id) where tx_hash <> '';
create index user_login_ip_head on user_login (left(lower(ip), 6), agent_id);
create index user_login_ip_tail on user_login (right(lower(ip), 6), agent_id);

-- Up to `most` rows of the caller's scope for each end of an address, hash or IP that is the part, ignoring case; the part has at
-- least six characters. Of an end that more rows have, any of them. ref_type is 'withdraw', 'recharge', or 'user' of a login.
create function find_by_ends(part text, most integer) returns table (ref_type text, id bigint)
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  needle constant text := lower(part);
  agents constant bigint[] := agents_in_scope();
  owned constant text := case current_setting('app.scope', true) when 'all' then 'true' else 'agent_id = any((select $3)::bigint[])' end;
  head constant text := 'left(lower(%1$s), 6) = left($1, 6) and starts_with(lower(%1$s), $1)';
  tail constant text := 'right(lower(%1$s), 6) = right($1, 6) and right(lower(%1$s), length($1)) = $1';
  found constant text := '(select %L, %s from %I where %s and %s and %s limit $2)';
begin
  if length(needle) < 6 or coalesce(current_setting('app.scope', true), '') = '' then
    return;
  end if;
  return query execute (
    select string_agg(format(found, t.type, t.key, t.name, format(e.condition, t.field), t.partial, owned), ' union all ')
    from (values ('withdraw', 'id', 'withdraw', 'address', 'true'), ('withdraw', 'id', 'withdraw', 'tx_hash', 'tx_hash <> '''''),
      ('recharge', 'id', 'recharge', 'address', 'true'), ('recharge', 'id', 'recharge', 'tx_hash', 'tx_hash <> '''''),
      ('user', 'user_id', 'user_login', 'ip', 'true')) t(type, key, name, field, partial)
    cross join (values (head), (tail)) e(condition)
  ) using needle, most, agents;
end $$;

revoke execute on function character_pairs, agents_in_scope, find_users, find_by_ends from public;
grant execute on function character_pairs, find_users, find_by_ends to {{app}};
