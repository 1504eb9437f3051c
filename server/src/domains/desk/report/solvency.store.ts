import { PROOF_HOUR, PROOF_HOUR_OFF } from '@hengtai/contract/desk/report/facts';
import { LIABILITY } from '@hengtai/contract/desk/report/calls';
import type { Solvency } from '@hengtai/contract/desk/report/schema';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { LIABILITY_RULE } from './liability-tree.ts';

export async function insertSolvency(db: Db, id: number, statement: Solvency): Promise<void> {
  await sql`insert into solvency (liability_id, statement) values (${id}, ${JSON.stringify(statement)}::jsonb)`.execute(
    db,
  );
}

/** The signed statements of a proof; undefined for one that has none. */
export async function findSolvency(db: Db, id: number): Promise<Solvency | undefined> {
  const { rows } = await sql<{ statement: Solvency }>`
    select statement from solvency where liability_id = ${id}`.execute(db);
  return rows[0]?.statement;
}

export interface StoredLeaf {
  userId: number;
  account: string;
  salt: string;
  index: number;
  amounts: string[];
}

/** Leaves of a finished proof, by user id after `after`. */
export async function fetchLeaves(db: Db, id: number, after: number, limit: number): Promise<StoredLeaf[]> {
  const { rows } = await sql<StoredLeaf>`
    select f.owner_id as "userId", u.account, f.salt, f.idx as index, n.sums as amounts
    from liability l join liability_leaf f on f.liability_id = l.id join users u on u.id = f.owner_id
    join liability_node n on n.liability_id = l.id and n.level = 0 and n.idx = f.idx
    where l.id = ${id} and l.state = ${LIABILITY.done} and f.owner_id > ${after}
    order by f.owner_id limit ${limit}`.execute(db);
  return rows;
}

/** The hour of the nightly proof; undefined if it is off. */
export async function findProofHour(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ hour: number }>`select num::int as hour from config where key = ${PROOF_HOUR}`.execute(
    db,
  );
  const hour = rows[0]?.hour ?? PROOF_HOUR_OFF;
  return hour === PROOF_HOUR_OFF ? undefined : hour;
}

/** Requests a proof by the system, unless it has requested one since a time or another one is waiting or running. */
export async function insertNightly(db: Db, since: number, now: number): Promise<void> {
  await sql`
    insert into liability (operator_id, operator, version, created_at, updated_at)
    select null, '', ${LIABILITY_RULE}, ${now}, ${now}
    where not exists (select from liability where operator_id is null and created_at >= ${since})
    on conflict ((true)) where state < 2 do nothing`.execute(db);
}
