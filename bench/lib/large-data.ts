import { sql } from 'kysely';
import { copyIn } from './copy-in.ts';
import type { BenchDatabase } from './database.ts';
import {
  MARKETS,
  type Owners,
  ROW_MS,
  loadFunds,
  loadWithdrawals,
  seededRandom,
  withoutIndexes,
} from './large-rows.ts';

export const AGENTS = 5_000;
const DEPTH = 16;
export const USERS = 500_000;
/** The last agents have no users. */
const NEWBORN = 50;
const DORMANT = 40;
/** A subtree whose users have rows only in the first fifth of the history. */
export const DORMANT_ROOT = `agent${DORMANT}`;

/** The successor of many deleted agents: their rows appear under its name. */
const SUCCESSOR = 2;
const isDeleted = (agent: number): boolean => agent > DEPTH && agent <= 100 && agent !== DORMANT;

const idOf = (agent: number): number => (agent === 0 ? 1 : 100 + agent);

/**
 * Loads 5,000 agents (some deleted) in a tree of 16 levels, 500,000 users, and `rows` withdrawals and ledger entries each. The
 * distribution is Zipfian: the k-th agent has about 1/k of the first one's users, the k-th user about 1/k of the first one's
 * rows. User, time, coin and state are drawn independently.
 *
 * @param options `funds: false` leaves out the ledger entries; `users` is their number
 */
export async function loadLarge(
  database: BenchDatabase,
  rows: number,
  logStep: (step: string) => void,
  { funds = true, users = USERS } = {},
): Promise<void> {
  const now = Date.now();
  const parents = drawParents();
  await database.query(sql`insert into market (id, market_name, created_at, recorded_at, updated_at)
    values (${MARKETS}, 'NEW', ${now}, ${now}, ${now}) on conflict do nothing`);
  await loadTree(database, parents, now);
  logStep('agents');
  const owners = drawUsers(parents, users);
  await loadUsers(database, owners, now - rows * ROW_MS, now);
  logStep('users');
  await loadWithdrawals(database, { rows, now, owners, logStep });
  if (funds) await loadFunds(database, { rows, now, owners, logStep });
}

/** Draws the parent of each agent. Agent 0 is the admin. */
export function drawParents(): number[] {
  const random = seededRandom(16);
  const depths = [0];
  const parents = [0];
  for (let k = 1; k <= AGENTS; k += 1) {
    // The first agents form a chain down to the last level. The substitutes get an earlier parent, usually one of the first.
    let parent = k <= DEPTH ? k - 1 : Math.floor((k - 1) * random() ** 3);
    if (isDeleted(k) || isDeleted(parent)) parent = SUCCESSOR;
    while ((depths[parent] ?? 0) >= DEPTH || isDeleted(parent)) parent = Math.floor((k - 1) * random());
    parents.push(parent);
    depths.push((depths[parent] ?? 0) + 1);
  }
  return parents;
}

/** The path from an agent up to the admin. */
function pathOf(parents: readonly number[], agent: number): number[] {
  const path = [agent];
  for (let at = agent; at !== 0; at = parents[at] ?? 0) path.push(parents[at] ?? 0);
  return path;
}

export async function loadTree(database: BenchDatabase, parents: readonly number[], now: number): Promise<void> {
  const agents = parents.map((_, agent) => agent).slice(1);
  const [admin] = await database.query(sql<{ hash: string }>`select password_hash as hash from agent where id = 1`);
  await copyIn(
    database.ownerUrl,
    'agent',
    'id, account, password_hash, parent_id, depth, abilities, deleted_at, shown_account, created_at, recorded_at, updated_at',
    agents.map((agent) => [
      idOf(agent), `agent${agent}`, isDeleted(agent) ? null : (admin?.hash ?? ''), idOf(parents[agent] ?? 0), pathOf(parents, agent).length - 1,
      '{1,2,3,4,5,6,7,8}', ...(isDeleted(agent) ? [now, `agent${SUCCESSOR}`] : [null, null]), now, now, now,
    ]), // prettier-ignore
  );
  await copyIn(
    database.ownerUrl,
    'closure',
    'ancestor, descendant',
    agents.flatMap((agent) => pathOf(parents, agent).map((above) => [idOf(above), idOf(agent)])),
  );
  await database.query(sql`select setval(pg_get_serial_sequence('agent', 'id'), ${idOf(AGENTS)})`);
  await database.query(sql`analyze agent, closure`);
}

function drawUsers(parents: readonly number[], count: number): Owners {
  const random = seededRandom(42);
  const agents = Array.from({ length: count + 1 }, () => 1 + Math.floor((AGENTS - NEWBORN) ** random()));
  const dormant = parents.map((_, agent) => pathOf(parents, agent).includes(DORMANT));
  const isDormant = agents.map((agent) => dormant[agent] ?? false);
  const substitutes = isDormant.flatMap((is, user) => (is || user === 0 ? [] : [user])).slice(0, 1_000);
  return { agentOf: agents.map(idOf), isDormant, substitutes };
}

async function loadUsers(database: BenchDatabase, { agentOf }: Owners, createdAt: number, now: number): Promise<void> {
  const random = seededRandom(7);
  const url = database.ownerUrl;
  function* users(): Generator<(string | number)[]> {
    for (const [user, agentId] of agentOf.entries())
      if (user > 0) yield [user, `user${user}`, agentId, random() < 0.98 ? 1 : 0, Math.round(random() * 4), user % 50 ? 1 : 0, user % 500 ? 1 : 0, now - user, createdAt, now, now];
  } // prettier-ignore
  // A login of each user; one in 200 shares its IP with others.
  function* logins(): Generator<(string | number)[]> {
    for (const [user, agentId] of agentOf.entries())
      if (user > 0) yield [user, agentId, user % 200 ? `2001:db8::${user.toString(16)}` : `192.0.2.${user % 64}`, now, now];
  } // prettier-ignore
  await withoutIndexes(database, 'users', () =>
    copyIn(url, 'users', 'id, account, agent_id, state, auth, trade, ieo_buy, last_login_at, created_at, recorded_at, updated_at', users()),
  ); // prettier-ignore
  await database.query(sql`select setval(pg_get_serial_sequence('users', 'id'), ${agentOf.length - 1})`);
  await withoutIndexes(database, 'user_login', () =>
    copyIn(url, 'user_login', 'user_id, agent_id, ip, created_at, recorded_at', logins()),
  );
}
