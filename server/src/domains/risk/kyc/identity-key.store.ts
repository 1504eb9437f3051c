import { sql } from 'kysely';
import { type Db, prepared, withFullScope } from '../../../database/connect.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';

interface Unkeyed {
  id: number;
  name: string;
  idNumber: string;
}

/** The next submissions without keys after an id, in order and locked; rows that others hold are left for the next run. */
export async function fetchUnkeyed(db: Db, after: number, limit: number): Promise<Unkeyed[]> {
  const { rows } = await sql<Unkeyed>`${prepared}
    select a.id, a.name, a.id_number as "idNumber" from auth a where a.number_key is null and a.id > ${after}
    order by a.id limit ${limit} for no key update skip locked`.execute(db);
  return rows;
}

/** Whether any submission has no keys yet, in every scope. The order makes the planner use the index of such rows. */
export const hasUnkeyed = (db: Db): Promise<boolean> =>
  withFullScope(db, async () => {
    const { rows } = await sql`${prepared}
      select from auth a where a.number_key is null order by a.id desc limit 1`.execute(db);
    return rows.length > 0;
  });

const keyTypes = { id: 'bigint', nameKey: 'text', numberKey: 'text' } as const;

export async function writeKeys(db: Db, keys: readonly BulkRow<typeof keyTypes>[]): Promise<void> {
  await sql`${prepared}
    update auth a set number_key = k."numberKey", name_key = k."nameKey"
    from ${unnestRows('k', keyTypes, keys)} where a.id = k.id`.execute(db);
}
