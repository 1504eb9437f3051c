-- Events that come together are written together, under ids that are taken before.
grant usage on sequence trade_order_id_seq, future_order_id_seq to {{app}};
