import { sql } from 'kysely';
import { copyIn } from './copy-in.ts';
import type { BenchDatabase } from './database.ts';
import { MARKETS, type People, ROW_MS, loadFunds, loadWithdrawals, seeded } from './large-rows.ts';

export const AGENTS = 5_000;
const DEPTH = 16;
export const USERS = 500_000;
/** The last agents have nobody yet. */
const NEWBORN = 50;
const DORMANT = 40;
/** A subtree whose users have done nothing since the first fifth of all rows. */
export const DORMANT_ROOT = `agent${DORMANT}`;

/** An agent that has taken over many others: their rows are shown under its name. */
const SUCCESSOR = 2;
const isGone = (agent: number): boolean => agent > DEPTH && agent <= 100 && agent !== DORMANT;

const idOf = (agent: number): number => (agent === 0 ? 1 : 100 + agent);

/**
 * 5,000 agents, some of them deleted, in a tree 16 levels deep, 500,000 users, and so many withdrawals and fund records. The k-th agent has about
 * 1/k of the first one's users, the k-th user about 1/k of the first one's rows; who, when, which coin and which state are
 * drawn independently of each other.
 */
export async function loadLarge(database: BenchDatabase, rows: number, took: (what: string) => void): Promise<void> {
  const now = Date.now();
  const parents = drawTree();
  await database.query(sql`insert into market (id, market_name, created_at, recorded_at, updated_at)
    values (${MARKETS}, 'NEW', ${now}, ${now}, ${now}) on conflict do nothing`);
  await loadTree(database, parents, now);
  took('agents');
  const people = drawUsers(parents);
  await loadUsers(database, people, now - rows * ROW_MS, now);
  took('users');
  await loadWithdrawals(database, { rows, now, people, took });
  await loadFunds(database, { rows, now, people, took });
}

/** The parent of each agent; agent 0 is the admin. */
function drawTree(): number[] {
  const random = seeded(16);
  const depths = [0];
  const parents = [0];
  for (let k = 1; k <= AGENTS; k += 1) {
    // One line goes down to the last level; the others stand below one of those before them, most often an early one.
    let parent = k <= DEPTH ? k - 1 : Math.floor((k - 1) * random() ** 3);
    if (isGone(k) || isGone(parent)) parent = SUCCESSOR;
    while ((depths[parent] ?? 0) >= DEPTH || isGone(parent)) parent = Math.floor((k - 1) * random());
    parents.push(parent);
    depths.push((depths[parent] ?? 0) + 1);
  }
  return parents;
}

/** From an agent up to the admin. */
function lineOf(parents: readonly number[], agent: number): number[] {
  const line = [agent];
  for (let at = agent; at !== 0; at = parents[at] ?? 0) line.push(parents[at] ?? 0);
  return line;
}

async function loadTree(database: BenchDatabase, parents: readonly number[], now: number): Promise<void> {
  const agents = parents.map((_, agent) => agent).slice(1);
  const [admin] = await database.query(sql<{ hash: string }>`select password_hash as hash from agent where id = 1`);
  await copyIn(
    database.ownerUrl,
    'agent',
    'id, account, password_hash, parent_id, depth, abilities, deleted_at, shown_account, created_at, recorded_at, updated_at',
    agents.map((agent) => [
      idOf(agent), `agent${agent}`, isGone(agent) ? null : (admin?.hash ?? ''), idOf(parents[agent] ?? 0), lineOf(parents, agent).length - 1,
      '{1,2,3,4,5,6,7,8}', ...(isGone(agent) ? [now, `agent${SUCCESSOR}`] : [null, null]), now, now, now,
    ]), // prettier-ignore
  );
  await copyIn(
    database.ownerUrl,
    'closure',
    'ancestor, descendant',
    agents.flatMap((agent) => lineOf(parents, agent).map((above) => [idOf(above), idOf(agent)])),
  );
  await database.query(sql`select setval(pg_get_serial_sequence('agent', 'id'), ${idOf(AGENTS)})`);
  await database.query(sql`analyze agent, closure`);
}

function drawUsers(parents: readonly number[]): People {
  const random = seeded(42);
  const agents = Array.from({ length: USERS + 1 }, () => 1 + Math.floor((AGENTS - NEWBORN) ** random()));
  const dormant = parents.map((_, agent) => lineOf(parents, agent).includes(DORMANT));
  const isDormant = agents.map((agent) => dormant[agent] ?? false);
  const others = isDormant.flatMap((is, user) => (is || user === 0 ? [] : [user])).slice(0, 1_000);
  return { agentOf: agents.map(idOf), isDormant, others };
}

async function loadUsers(database: BenchDatabase, { agentOf }: People, born: number, now: number): Promise<void> {
  const random = seeded(7);
  const users = agentOf.map((agentId, user) => [user, `user${user}`, agentId, random() < 0.98 ? 1 : 0, Math.round(random() * 4), born, now, now]); // prettier-ignore
  await copyIn(
    database.ownerUrl,
    'users',
    'id, account, agent_id, state, auth, created_at, recorded_at, updated_at',
    users.slice(1),
  );
  await database.query(sql`select setval(pg_get_serial_sequence('users', 'id'), ${USERS})`);
  await database.query(sql`analyze users`);
}
