-- no-transaction
-- Open commands of one record, in their order. Balances of a user, messages to a user and halts of a market count as records,
-- so that none of them waits for the answer to something else.

create index concurrently if not exists command_record on command (
  (case when type in ('balance.changed', 'message.sent') then type || ' ' || (data ->> 'account')
    when type in ('market.halted', 'market.resumed') then 'halt ' || ref_id::text
    else ref_type || ' ' || ref_id::text end), id
) where state in (0, 1);
