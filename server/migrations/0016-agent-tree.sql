-- Agents move and go. A deleted one stays as a tombstone below its replacement: rows keep their agent_id, and screens show
-- the agent that took over.

alter table agent add column shown_account text;
alter table agent add column shown text generated always as (coalesce(shown_account, account)) stored;
alter table agent add column shown_key text generated always as (lower(coalesce(shown_account, account))) stored;
create index agent_shown on agent (shown_key);

-- A subtree that moves inside the own tree gets other lines above it.
do $$
begin
  execute format('create policy own_tree_delete on closure for delete using (%s)',
    $q$descendant = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$);
end
$$;
