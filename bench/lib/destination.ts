import { type RawBuilder, sql } from 'kysely';

/** The columns that `keyValues` fills. */
export const KEY_COLUMNS = sql`account_key, memo_key, beneficiary, address_faults, account_rules`;

/** The keys of an address, given as SQL, that has no memo and is compared by its text. */
export const keyValues = (address: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`'opaque:' || ${address}, '', '["opaque:' || ${address} || '",""]', '{}', 1`;
