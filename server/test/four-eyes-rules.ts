import { GUARDED_ABILITIES } from '@hengtai/contract/authority/guards';
import { ENTRY } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { type Lines, readLines } from './four-eyes-lines.ts';
import { findLooserLine } from './four-eyes-reach.ts';
import type { TestServer } from './server.ts';

/**
 * Protections that nobody may loosen alone while four-eyes are locked. They are read from the database before and after
 * each step and compared by independent rules.
 */

interface Agent {
  id: number;
  state: number;
  parent: number | null;
  abilities: number[];
  password: string | null;
  deleted: boolean;
}

export interface Protections {
  locked: boolean;
  agents: Agent[];
  lines: Lines;
  /** Ids of the newest entry and of the newest ordered payout. */
  lastEntry: number;
  lastPayout: number;
}

export async function readProtections(server: TestServer): Promise<Protections> {
  const [row] = await server.query(sql<Omit<Protections, 'lines'>>`
    select (select four_eyes_locked_at is not null from installation) as locked,
      (select json_agg(json_build_object('id', id, 'state', state, 'parent', parent_id, 'abilities', abilities,
        'password', md5(password_hash), 'deleted', deleted_at is not null) order by id) from agent) as agents,
      (select coalesce(max(id), 0) from entry) as "lastEntry",
      (select coalesce(max(id), 0) from command where type = 'withdraw.payout') as "lastPayout"`);
  if (!row) throw new Error('What is protected cannot be read.');
  return { ...row, lines: await readLines(server) };
}

/** Describes the first protection that became weaker, or returns undefined. */
export function findLoosened(previous: Protections, current: Protections): string | undefined {
  if (!current.locked) return 'four-eyes are unlocked';
  return findStrengthenedAgent(previous.agents, current.agents) ?? findLooserLine(previous.lines, current.lines);
}

const guardedAbilitiesOf = ({ abilities }: Agent): number[] =>
  abilities.filter((ability) => GUARDED_ABILITIES.some((guarded) => guarded === ability));

/**
 * Describes the first forbidden change of an agent: a guarded ability granted, the agent deleted, or a holder of such
 * an ability enabled, given another password or moved.
 */
function findStrengthenedAgent(previous: readonly Agent[], current: readonly Agent[]): string | undefined {
  for (const agent of current) {
    const before = previous.find(({ id }) => id === agent.id);
    const previousAbilities = before ? guardedAbilitiesOf(before) : [];
    const gained = guardedAbilitiesOf(agent).filter((ability) => !previousAbilities.includes(ability));
    if (gained.length > 0) return `agent ${agent.id} was granted ${gained.join(', ')}`;
    if (!before) continue;
    if (agent.deleted && !before.deleted) return `agent ${agent.id} was deleted`;
    if (previousAbilities.length > 0 && agent.state === 1 && before.state === 0)
      return `holder ${agent.id} was enabled`;
    if (previousAbilities.length > 0 && agent.password !== before.password)
      return `the password of holder ${agent.id} was reset`;
    if (agent.parent !== before.parent && holdersBelow(agent.id, previous).length > 0)
      return `agent ${agent.id} was moved with holders below it`;
  }
  return undefined;
}

function holdersBelow(id: number, agents: readonly Agent[]): Agent[] {
  const own = agents.filter((agent) => agent.id === id && !agent.deleted && guardedAbilitiesOf(agent).length > 0);
  return [...own, ...agents.filter(({ parent }) => parent === id).flatMap((below) => holdersBelow(below.id, agents))];
}

/** Entry types for users that each call may post without a checker. */
export const ALLOWED_ENTRY_TYPES: Readonly<Record<string, readonly number[]>> = {
  'asset.activeAdd': [ENTRY.manualAdd],
  'asset.activeSub': [ENTRY.manualSub],
  'asset.frozenAdd': [ENTRY.freeze],
  'asset.frozenSub': [ENTRY.unfreeze],
  'withdraw.reject': [ENTRY.unfreeze, ENTRY.withdrawReturned],
  'withdraw.rejectMany': [ENTRY.unfreeze, ENTRY.withdrawReturned],
  'ieo.pass': [ENTRY.subscriptionGrant, ENTRY.subscriptionFreeze],
  'ieo.passMany': [ENTRY.subscriptionGrant, ENTRY.subscriptionFreeze],
  'ieo.reject': [ENTRY.subscriptionRefund],
  'ieo.rejectMany': [ENTRY.subscriptionRefund],
  'recharge.release': [ENTRY.recharge, ENTRY.fee],
  'recharge.releaseMany': [ENTRY.recharge, ENTRY.fee],
};

/** Entry types that a step posted for users. */
export async function fetchPostedTypes(server: TestServer, entry: number): Promise<number[]> {
  const rows = await server.query(sql<{ type: number }>`
    select distinct type from entry where id > ${entry} and user_id is not null`);
  return rows.map(({ type }) => type);
}

export async function countPayouts(server: TestServer, command: number): Promise<number> {
  const [row] = await server.query(sql<{ n: number }>`
    select count(*) as n from command where id > ${command} and type = 'withdraw.payout'`);
  return row?.n ?? 0;
}

/** Ids of the targets to which a call did nothing, because they had its values already. `compare` still judges the state. */
export async function fetchUnchanged(server: TestServer, requestId: string): Promise<number[]> {
  const rows = await server.query(sql<{ id: number }>`
    select target_id as id from audit where request_id = ${requestId} and result = 200 and after = '{"unchanged": true}'`);
  return rows.map(({ id }) => id);
}
