import { sql } from 'kysely';

/** SQL: URL template of the block explorer of a network, or an empty text. Both arguments are trusted column names. */
export const explorerOf = (networks: string, network: string) => sql`
  coalesce((select n ->> 'explorer' from jsonb_array_elements(${sql.ref(networks)}) n
    where n ->> 'network' = ${sql.ref(network)} limit 1), '')`;
