import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/**
 * Abilities and by whom they were granted. `agent.abilities` is what every request reads; each of its values has its row in
 * `agent_grant`, and both change in one statement. A grant takes the tree lock shared (`lockTree`), a revocation
 * or a move takes it exclusively: no operator can grant an ability that it is losing.
 */

/** Who is given something, what, by whom and when. */
export interface Grant {
  id: number;
  ability: number;
  by: string;
  now: number;
}

/** Gives an ability to an agent that does not hold it; returns whom it reached. Who holds it keeps its first grantor. */
export async function grantAbility(db: Db, { id, ability, by, now }: Grant): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with given as (
      update agent set abilities = array_append(abilities, ${ability}::int), updated_at = ${now}
      where id = ${id} and deleted_at is null and not ${ability} = any(abilities) returning id
    ), noted as (
      insert into agent_grant (operator_id, ability, granted_by, granted_at)
      select id, ${ability}::int, ${by}, ${now}::bigint from given
    )
    select id from given`.execute(db);
  return rows.map((row) => row.id);
}

/** Takes an ability from an agent and from everybody below it; returns those who had it. */
export async function revokeAbility(db: Db, id: number, ability: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with below as (select descendant as id from closure where ancestor = ${id}),
    forgotten as (
      delete from agent_grant where ability = ${ability} and operator_id in (select id from below)
    )
    update agent set abilities = array_remove(abilities, ${ability}::int), updated_at = ${now}
    where id in (select id from below) and ${ability} = any(abilities)
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Takes from an agent and from everybody below it what its parent does not hold: an agent holds no more than its
 * parent could have granted. Below the top-level admin nothing is lost.
 *
 * @returns those who lost something
 */
export async function dropForeignAbilities(db: Db, id: number, parentId: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with parent as (select abilities from agent where id = ${parentId} and parent_id is not null),
    below as (select descendant as id from closure where ancestor = ${id}),
    forgotten as (
      delete from agent_grant g using parent, below where g.operator_id = below.id and g.ability <> all(parent.abilities)
    )
    update agent set updated_at = ${now},
      abilities = array(select held.ability from unnest(agent.abilities) with ordinality as held(ability, place)
        where held.ability = any(parent.abilities) order by held.place)
    from parent
    where agent.id in (select id from below) and not agent.abilities <@ parent.abilities
    returning agent.id`.execute(db);
  return rows.map((row) => row.id);
}

/** Nothing is left of what a deleted agent could do. */
export async function dropAllAbilities(db: Db, id: number): Promise<void> {
  await sql`with forgotten as (delete from agent_grant where operator_id = ${id})
    update agent set abilities = '{}' where id = ${id}`.execute(db);
}
