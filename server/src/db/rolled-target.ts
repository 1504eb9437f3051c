import type { Filter } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { ListSource } from './list.ts';
import { KIND } from './rollup-compact.ts';
import { hasBit, inScope } from './scope.ts';

/** For whom is counted, and how its rows are found. */
export interface Target {
  kind: number;
  keys: number[];
  /** The agents whose rows these are; undefined: everybody's. */
  ids: readonly number[] | undefined;
  /** They are all whom the operator may see: what the list asks of every row says so already. */
  everybody?: true;
  userId?: number;
  /** What of the deltas belongs to it. */
  pending: RawBuilder<unknown>;
}

/** The filters that say whose rows are asked for. */
export const WHO: readonly string[] = ['account', 'userId', 'agent', 'agentRoot'];

type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

export async function findTarget(
  ctx: Reader,
  rollup: NonNullable<ListSource['rollup']>,
  who: readonly Filter[],
  values: Readonly<Record<string, unknown>>,
): Promise<Target | 'nobody' | 'unknown'> {
  const given: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    who.map(({ field }) => [field, String(values[field])]),
  );
  const { account, userId, agent, agentRoot } = given;
  const agents = agent !== undefined || agentRoot !== undefined ? await findAgents(ctx, agent, agentRoot) : undefined;
  if (account !== undefined || userId !== undefined) {
    if (rollup.user === undefined || account?.endsWith('*')) return 'unknown';
    return ofUser(ctx, account, userId, agents);
  }
  if (!agents) {
    if (ctx.scope.kind === 'all') return { kind: KIND.all, keys: [0], ids: undefined, pending: sql`true` };
    return { ...ofAgents(KIND.tree, [ctx.operator.id], ctx.scope.ids), everybody: true };
  }
  if (agents.length === 0) return 'nobody';
  return agent === undefined
    ? ofAgents(KIND.tree, [agents[0]?.root ?? 0], agents.map(({ id }) => id))
    : ofAgents(KIND.own, agents.map(({ id }) => id), agents.map(({ id }) => id)); // prettier-ignore
}

const ofAgents = (kind: number, keys: number[], ids: readonly number[]): Target => ({
  kind,
  keys,
  ids,
  pending: hasBit(sql`agent_key`, ids),
});

/** The agents whose rows are shown under a name, those below an agent, or those that are both; of the operator's tree only. */
async function findAgents(
  { db, scope }: Reader,
  agent: string | undefined,
  agentRoot: string | undefined,
): Promise<{ id: number; root: number }[]> {
  const shown = agent === undefined ? sql`true` : sql`x.shown_key = ${agent.toLowerCase()}`;
  const { rows } =
    agentRoot === undefined
      ? await sql<{ id: number; root: number }>`
          select x.id, x.id as root from agent x where ${shown} and ${inScope(scope, 'x.id')}`.execute(db)
      : await sql<{ id: number; root: number }>`
          select x.id, t.id as root from agent t join closure c on c.ancestor = t.id join agent x on x.id = c.descendant
          where t.account_key = ${agentRoot.toLowerCase()} and t.deleted_at is null and ${inScope(scope, 't.id')}
            and ${shown} and ${inScope(scope, 'x.id')}`.execute(db);
  return rows;
}

/** All rows of a user lie with the agent that it has, so its agent decides whether they are asked for. */
async function ofUser(
  { db, scope }: Reader,
  account: string | undefined,
  userId: string | undefined,
  agents: readonly { id: number }[] | undefined,
): Promise<Target | 'nobody'> {
  const named = account === undefined ? sql`true` : sql`u.account_key = ${account.toLowerCase()}`;
  const numbered = userId === undefined ? sql`true` : sql`u.id = ${userId}::bigint`;
  const { rows } = await sql<{ id: number; agentId: number }>`
    select u.id, u.agent_id as "agentId" from users u
    where ${named} and ${numbered} and ${inScope(scope, 'u.agent_id')}`.execute(db);
  const [user] = rows;
  if (!user || (agents && !agents.some(({ id }) => id === user.agentId))) return 'nobody';
  return {
    kind: KIND.user,
    keys: [user.id],
    ids: [user.agentId],
    userId: user.id,
    pending: sql`user_key = ${user.id}`,
  };
}
