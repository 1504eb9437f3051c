-- When a market was halted by price protection, null while it trades; each of spot, futures and second contracts for itself.
alter table market
  add column halted_at bigint,
  add column future_halted_at bigint,
  add column second_halted_at bigint;
