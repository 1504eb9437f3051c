-- A policy counts what anybody did to one user, not only what the same operator did.
create index policy_use_user on policy_use (policy, user_id, created_at);
