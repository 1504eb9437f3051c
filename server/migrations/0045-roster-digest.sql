-- Whether consents and mandates under a roster carry its digest: true for rosters that came into force since they can.
-- Wallets take both forms under the roster that they held before.
alter table signing_proposal add column signs_digest boolean not null default false;
grant update (signs_digest) on signing_proposal to {{app}};
