import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { agentBits } from './agent-bits.ts';
import { type Db, type Scope, prepared, treeLock } from './connect.ts';

/** Another transaction holds the tree lock too. The action runs again, and takes the lock exclusively as it begins. */
export class TreeLocked extends Error {
  override name = 'TreeLocked';
}

/**
 * Locks the tree of agents until the transaction ends. Every action shares it, so that the operator's scope cannot narrow
 * meanwhile; moving or deleting agents and revoking abilities needs it exclusively.
 *
 * @throws TreeLocked instead of waiting for the exclusive lock: two transactions that share it would wait for each other
 */
export async function lockTree(db: Db, how: 'shared' | 'exclusive'): Promise<void> {
  if (how === 'shared') {
    await sql.raw(treeLock.shared).execute(db);
    return;
  }
  const { rows } = await sql.raw<{ locked: boolean }>(treeLock.tryExclusive).execute(db);
  if (!rows[0]?.locked) throw new TreeLocked();
}

/** A CTE that stands in every statement by which the closure changes; without it nobody would notice. */
export const treeChanges = (): RawBuilder<unknown> =>
  sql`tree_changes as (update tree_version set version = ${randomUUID()})`;

/** Whether the operator `o` sees everybody: the top-level admin, and who is of the headquarters. */
const SEES_ALL = sql`(o.parent_id is null or 13 = any(o.abilities))`;

/** What a statement selects of the operator `o` in order to know what that one may see; see `scopeOf`. */
export const VISIBILITY = sql`${SEES_ALL} as "seesAll", (select version from tree_version) as "treeVersion"`;

export interface Visibility {
  seesAll: boolean;
  treeVersion: string;
}

interface Trees {
  version: string;
  byOperator: Map<number, readonly number[]>;
}

/** The trees that were read since one changed: together never more than the closure has lines. */
const known = new WeakMap<Db, Trees>();

/**
 * What an operator may see. Its agents are read only where the tree has changed since, so that a list of thousands is not
 * brought over with every request; as long as it stays the same this is the same array.
 *
 * @param db connections that see everything
 */
export async function scopeOf(db: Db, operatorId: number, { seesAll, treeVersion }: Visibility): Promise<Scope> {
  if (seesAll) return { kind: 'all' };
  const kept = known.get(db);
  const ids = kept?.version === treeVersion ? kept.byOperator.get(operatorId) : undefined;
  return { kind: 'agents', ids: ids ?? (await readTree(db, operatorId)) };
}

/** Reads the operator's scope again inside a transaction that holds the tree lock, and applies it to what follows. */
export async function resetScope(db: Db, operatorId: number, { seesAll }: Visibility): Promise<Scope> {
  await sql`select set_config('app.scope', 'all', true)`.execute(db);
  if (seesAll) return { kind: 'all' };
  const { rows } = await sql<{ ids: number[] }>`
    select array(select c.descendant from closure c where c.ancestor = ${operatorId}) as ids`.execute(db);
  const ids = rows[0]?.ids ?? [];
  await sql`select set_config('app.scope', 'agents', true), set_config('app.tree', ${agentBits(ids).text}, true)`.execute(
    db,
  );
  return { kind: 'agents', ids };
}

async function readTree(db: Db, operatorId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ version: string; ids: number[] }>`${prepared}
    select v.version, array(select c.descendant from closure c where c.ancestor = ${operatorId}) as ids
    from tree_version v`.execute(db);
  const [read] = rows;
  if (!read) throw new Error('The table tree_version is empty.');
  const kept = known.get(db);
  const trees = kept?.version === read.version ? kept : { version: read.version, byOperator: new Map() };
  known.set(db, trees);
  trees.byOperator.set(operatorId, read.ids);
  return read.ids;
}
