import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { agentBits } from './agent-bits.ts';
import { type Db, type Scope, prepared, treeLock } from './connect.ts';

/** Another transaction shares the tree lock. The caller retries with a transaction that begins with the exclusive lock. */
export class TreeLocked extends Error {
  override name = 'TreeLocked';
}

/**
 * Locks the agent tree until the transaction ends. Every action takes the shared lock, so that the operator's scope cannot
 * shrink meanwhile; moving or deleting agents and revoking abilities needs the exclusive lock.
 *
 * @throws TreeLocked instead of waiting for the exclusive lock, because two transactions that share the lock would deadlock
 */
export async function lockTree(db: Db, mode: 'shared' | 'exclusive'): Promise<void> {
  if (mode === 'shared') {
    await sql.raw(treeLock.shared).execute(db);
    return;
  }
  const { rows } = await sql.raw<{ locked: boolean }>(treeLock.tryExclusive).execute(db);
  if (!rows[0]?.locked) throw new TreeLocked();
}

/** CTE that every statement changing the closure must contain: it changes the version that invalidates cached trees. */
export const treeChanges = (): RawBuilder<unknown> =>
  sql`tree_changes as (update tree_version set version = ${randomUUID()})`;

/** Whether an agent is this operator or in its own tree, regardless of the operator's scope. */
export async function isUnder(db: Db, operatorId: number, agentId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from closure where ancestor = ${operatorId} and descendant = ${agentId}`.execute(
    db,
  );
  return rows.length === 1;
}

/**
 * Columns of `Authority`, for a statement that selects the operator `o`. `limitAbilities` in `login.steps.ts` takes the same
 * abilities away in the answer to the login. Full scope has the top-level admin, or who holds
 * ability 13 (headquarters).
 *
 * @param allowed the abilities that the identity provider allows the session, as an array of PostgreSQL; null allows all.
 *   It takes abilities away and never adds one. A limited top-level admin has the allowed abilities, but not its rank
 */
export const authorityColumns = (allowed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  o.parent_id is null and ${allowed} is null as top,
  case when ${allowed} is null then o.abilities when o.parent_id is null then ${allowed}
    else array(select held from unnest(o.abilities) held where held = any(${allowed}) order by held) end as abilities,
  (o.parent_id is null or 13 = any(o.abilities)) and (${allowed} is null or 13 = any(${allowed})) as "seesAll",
  (select version from tree_version) as "treeVersion"`;

export interface Visibility {
  seesAll: boolean;
  treeVersion: string;
}

/** What an operator may do and see. */
export interface Authority extends Visibility {
  top: boolean;
  abilities: number[];
}

interface Trees {
  version: string;
  byOperator: Map<number, readonly number[]>;
}

/** Trees of the current version; together they have at most as many entries as the closure has rows. */
const treeCache = new WeakMap<Db, Trees>();

/**
 * Returns the scope of an operator. The ids are cached until the tree changes, so that requests do not transfer thousands
 * of ids; while the tree is unchanged the result is the same array, which serves as a cache key.
 *
 * @param db the system pool, which sees every row
 * @throws Error if the table tree_version is empty
 */
export async function scopeOf(db: Db, operatorId: number, { seesAll, treeVersion }: Visibility): Promise<Scope> {
  if (seesAll) return { kind: 'all' };
  const cached = treeCache.get(db);
  const ids = cached?.version === treeVersion ? cached.byOperator.get(operatorId) : undefined;
  return { kind: 'agents', ids: ids ?? (await fetchTree(db, operatorId)) };
}

/** Reads the operator's scope again inside a transaction that holds the tree lock, and sets it for the next statements. */
export async function resetScope(db: Db, operatorId: number, { seesAll }: Visibility): Promise<Scope> {
  await sql`select set_config('app.scope', 'all', true)`.execute(db);
  if (seesAll) return { kind: 'all' };
  const { rows } = await sql<{ ids: number[] }>`
    select array(select c.descendant from closure c where c.ancestor = ${operatorId}) as ids`.execute(db);
  const ids = rows[0]?.ids ?? [];
  await sql`select set_config('app.scope', 'agents', true), set_config('app.tree', ${agentBits(ids).hex}, true)`.execute(
    db,
  );
  return { kind: 'agents', ids };
}

async function fetchTree(db: Db, operatorId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ version: string; ids: number[] }>`${prepared}
    select v.version, array(select c.descendant from closure c where c.ancestor = ${operatorId}) as ids
    from tree_version v`.execute(db);
  const [read] = rows;
  if (!read) throw new Error('The table tree_version is empty.');
  const cached = treeCache.get(db);
  const trees = cached?.version === read.version ? cached : { version: read.version, byOperator: new Map() };
  treeCache.set(db, trees);
  trees.byOperator.set(operatorId, read.ids);
  return read.ids;
}
