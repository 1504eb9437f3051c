-- no-transaction

-- Each section of a user's or withdrawal's detail finds its rows by an index, however many rows the user has.
-- The withdrawals of a day and the open ones:
create index concurrently if not exists withdraw_user_state on withdraw (user_id, state, created_at);
-- Whether an address was paid, and who else used it:
create index concurrently if not exists withdraw_address_user on withdraw (address, user_id, state);
drop index concurrently if exists withdraw_address;
create index concurrently if not exists recharge_open_user on recharge (user_id) where state in (0, 3);
create index concurrently if not exists trade_order_open_user on trade_order (user_id) where state in (0, 1, 4);
create index concurrently if not exists second_contract_open_user on second_contract (user_id) where state = 0;
create index concurrently if not exists follow_open_user on follow (user_id) where state in (1, 3);
create index concurrently if not exists future_order_open_user on future_order (user_id) where state in (0, 1, 5, 6);
create index concurrently if not exists ieo_open_user on ieo (user_id) where state = 0;
create index concurrently if not exists approval_open_user on approval (user_id) where state = 0;
-- The newest audit rows of a target:
create index concurrently if not exists audit_of_target on audit (target_type, target_id, id desc);
drop index concurrently if exists audit_target;
