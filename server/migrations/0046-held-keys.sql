-- Keys of the gateway are judged in the transactions of their calls. Calls share an advisory lock, and what takes something
-- from a key waits for it: a row lock of many callers could keep a revocation waiting.

create function lock_gateway_keys() returns void language sql volatile
  as $$ select pg_advisory_xact_lock(5300047) $$;

-- True if neither the key nor its platform was changed since the caller read them; then neither is until the transaction
-- ends. Otherwise an error of its own class. Each statement inside has a new snapshot, so it sees what committed meanwhile.
create function hold_gateway_key(held bigint, key_version bigint, platform_version bigint) returns boolean
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(5300047);
  perform from gateway_key k join platform p on p.id = k.platform_id
  where k.id = held and k.updated_at = key_version and p.updated_at = platform_version and k.secret is not null;
  if not found then raise exception 'gateway key % was changed', held using errcode = 'HT001'; end if;
  return true;
end
$$;
