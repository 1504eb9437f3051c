-- An action reads its own session again inside its transaction, and by which of its tokens it was asked.
do $$
begin
  execute format('create policy own on session_token for select using (
    exists (select from session s where s.id = session_token.session_id and s.operator_id = %s))',
    $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$);
end
$$;
