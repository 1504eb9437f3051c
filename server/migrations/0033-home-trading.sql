-- What was traded since a moment, whatever the length of the history before it.
create index trade_fill_created on trade_fill (created_at) include (agent_id, turnover);
create index future_order_opened on future_order (opened_at) include (agent_id, open_price, amount) where demo = 0;
create index future_close_created on future_close (created_at) include (agent_id, price, amount, realized) where demo = 0;
create index second_contract_created on second_contract (created_at) include (agent_id, amount) where state <> 2;
create index second_contract_settled on second_contract (settled_at) include (agent_id, profit) where state = 1;
create index ieo_passed on ieo (reviewed_at) include (agent_id, pay) where state = 1;
