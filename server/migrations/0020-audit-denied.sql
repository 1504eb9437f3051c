-- no-transaction
-- Attempts that were refused are looked for across all operators, and they are few among many.
create index concurrently if not exists audit_denied on audit (((result in (401, 403, 428))::int), id desc);
-- What was done to whom, and by whom, is looked for by account, whole or by its beginning.
create index concurrently if not exists audit_account on audit (account_key text_pattern_ops, id desc);
create index concurrently if not exists audit_operator_key on audit (operator_key text_pattern_ops, id desc);
