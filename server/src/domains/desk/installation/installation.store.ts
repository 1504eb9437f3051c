import { KLINE_URL } from '@hengtai/contract/desk/config/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';

/** Goes live by one conditional write; false if the installation was live. */
export async function goLive(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`update installation set live = 1 where live = 0`.execute(db);
  return numAffectedRows === 1n;
}

/** The first steps that are derived from the database; `password` is about the calling operator. */
export async function findFirstSteps({
  db,
  operator,
}: Ctx): Promise<{ password: boolean; market: boolean; gateway: boolean; kline: boolean; live: number }> {
  const { rows } = await sql<{ password: boolean; market: boolean; gateway: boolean; kline: boolean; live: number }>`
    select live,
      exists (select from audit a where a.target_type = 'agent' and a.target_id = ${operator.id}
        and a.action in ('session.password', 'operator.reset') and a.result = 200) as password,
      exists (select from market where updated_by is not null) as market,
      exists (select from inbox) as gateway,
      exists (select from config where key = ${KLINE_URL} and str <> '') as kline
    from installation`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database has no installation row: start HengTai on it once.');
  return row;
}
