import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/**
 * Abilities and their grantors. Requests read `agent.abilities`; each of its values has a row in `agent_grant`, and
 * both change in one statement. A grant takes the tree lock shared (`lockTree`), a revocation or a move exclusively, so
 * no operator can grant an ability that it is losing.
 */

export interface Grant {
  /** The agent that gets the ability. */
  id: number;
  ability: number;
  /** The account of the grantor. */
  by: string;
  now: number;
}

/** Grants an ability and returns the id of the agent; empty if it already holds it, and its first grantor stays. */
export async function grantAbility(db: Db, { id, ability, by, now }: Grant): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with granted as (
      update agent set abilities = array_append(abilities, ${ability}::int), updated_at = ${now}
      where id = ${id} and deleted_at is null and not ${ability} = any(abilities) returning id
    ), recorded as (
      insert into agent_grant (operator_id, ability, granted_by, granted_at)
      select id, ${ability}::int, ${by}, ${now}::bigint from granted
    )
    select id from granted`.execute(db);
  return rows.map((row) => row.id);
}

/** Revokes an ability from an agent and all agents below it; returns the ids of those that held it. */
export async function revokeAbility(db: Db, id: number, ability: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with below as (select descendant as id from closure where ancestor = ${id}),
    deleted as (
      delete from agent_grant where ability = ${ability} and operator_id in (select id from below)
    )
    update agent set abilities = array_remove(abilities, ${ability}::int), updated_at = ${now}
    where id in (select id from below) and ${ability} = any(abilities)
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Revokes from an agent and all agents below it the abilities that the parent does not hold, because an agent never
 * holds more than its parent. A move below the top-level admin revokes nothing.
 *
 * @returns the ids of the agents that lost an ability
 */
export async function dropForeignAbilities(db: Db, id: number, parentId: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with parent as (select abilities from agent where id = ${parentId} and parent_id is not null),
    below as (select descendant as id from closure where ancestor = ${id}),
    deleted as (
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

/** Removes every ability of a deleted agent. */
export async function dropAllAbilities(db: Db, id: number): Promise<void> {
  await sql`with deleted as (delete from agent_grant where operator_id = ${id})
    update agent set abilities = '{}' where id = ${id}`.execute(db);
}
