-- no-transaction
-- The users of a tree by account, so that a search also finds accounts by prefix without reading other trees.
create index concurrently if not exists users_tree_search on users (agent_id, search_text text_pattern_ops) include (id, deleted_at);
drop index concurrently if exists users_search;
