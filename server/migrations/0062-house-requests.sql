-- A request about a setting is about the whole house, as the lock is: every approver sees it, and one of them decides it.
drop policy house_requests on approval;
drop policy house_requests_update on approval;
create policy house_requests on approval for select using (
  target_type in ('installation', 'config') and (select coalesce(current_setting('app.scope', true), '')) <> '');
create policy house_requests_update on approval for update using (
  target_type in ('installation', 'config') and (select coalesce(current_setting('app.scope', true), '')) <> '');
