-- no-transaction
-- Open commands of one record, in their order. Balances and messages of one user count as one record.

create index concurrently if not exists command_record on command (
  (case when type in ('balance.changed', 'message.sent') then 'account ' || (data ->> 'account')
    else ref_type || ' ' || ref_id::text end), id
) where state in (0, 1);
