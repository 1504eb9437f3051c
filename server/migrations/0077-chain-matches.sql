-- Which record a move on a chain belongs to. A match ends when its move is reverted.
create table chain_match (
  id bigint generated always as identity primary key,
  move_id bigint not null references chain_move (id),
  record_type text not null check (record_type in ('withdraw', 'recharge')),
  record_id bigint not null,
  found_by text not null check (found_by in ('number', 'output', 'fields')),
  -- The fields in which move and record differ.
  differences text[] not null,
  created_at bigint not null,
  ended_at bigint
);
create unique index chain_match_move on chain_match (move_id) where ended_at is null;
create unique index chain_match_record on chain_match (record_type, record_id) where ended_at is null;
grant select, insert, update (ended_at) on chain_match to {{app}};
select protect('chain_match');

-- Moves that wait for their record, each with the time of the next attempt.
create table chain_move_open (
  move_id bigint primary key references chain_move (id),
  next_at bigint not null
);
create index chain_move_open_next on chain_move_open (next_at, move_id);
grant select, insert, update (next_at), delete on chain_move_open to {{app}};
select protect('chain_move_open');
