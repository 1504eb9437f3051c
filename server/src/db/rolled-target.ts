import type { PageInput } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { areOf, begins, isAccount } from './filter.ts';
import type { ListSource } from './list.ts';
import { KIND } from './rollup.ts';
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

/** What they are given. */
interface Who {
  account?: string;
  userId?: number;
  agent?: string;
  agentRoot?: string;
}

const whoOf = (input: PageInput & Who): Who => input;

/** The agents that a question's filters name, and the key under which their rows are counted. */
export interface NamedAgents {
  ids: readonly number[];
  kind: number;
  key: number;
}

/** A list's question, with what was looked up before its rows are asked for. */
export interface Asked {
  input: PageInput;
  /** Within the operator's tree; undefined where no agent is named. */
  agents?: NamedAgents;
}

type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/** Looks up whom the filters name. The beginning of accounts is no filter where all have it of whom rows are asked for. */
export async function lookUp(ctx: Reader, { rollup }: ListSource, input: PageInput): Promise<Asked> {
  if (!rollup) return { input };
  const { account, agent, agentRoot } = whoOf(input);
  const agents = agent !== undefined || agentRoot !== undefined ? await findAgents(ctx, agent, agentRoot) : undefined;
  const isNeeded = account === undefined || !account.endsWith('*') || (await isOtherUser(ctx, account, agents));
  const { account: _everybody, ...others }: PageInput & Who = input;
  return { input: isNeeded ? input : others, ...(agents && { agents }) };
}

/** Whether any user begins otherwise. */
async function isOtherUser({ db, scope }: Reader, text: string, agents: NamedAgents | undefined): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users x where not ${begins(sql.ref('x.account_key'), text)} and ${areOf(scope, agents)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** For whom is counted; the beginning of accounts, of which nothing is counted, comes on top of it. */
export async function findTarget(
  ctx: Reader,
  rollup: NonNullable<ListSource['rollup']>,
  asked: Asked,
): Promise<Target | 'nobody' | 'unknown'> {
  const { input, agents } = asked;
  const { account, userId } = whoOf(input);
  if (account !== undefined && rollup.user === undefined) return 'unknown';
  const isOne = userId !== undefined || (account !== undefined && !account.endsWith('*'));
  if (isOne) return ofUser(ctx, asked);
  if (!agents) {
    if (ctx.scope.kind === 'all') return { kind: KIND.all, keys: [0], ids: undefined, pending: sql`true` };
    return { ...ofAgents(KIND.tree, ctx.operator.id, ctx.scope.ids), everybody: true };
  }
  const { ids, kind, key } = agents;
  return ids.length === 0 ? 'nobody' : ofAgents(kind, key, ids);
}

const ofAgents = (kind: number, key: number, ids: readonly number[]): Target => ({
  kind,
  keys: [key],
  ids,
  pending: hasBit(sql`agent_key`, ids),
});

/**
 * The agents whose rows are shown under a name, those below an agent, or those that are both; of the operator's tree only.
 * Who is shown under another's name lies directly below that one, so a tree has all of them or none.
 */
async function findAgents(
  { db, scope }: Reader,
  agent: string | undefined,
  agentRoot: string | undefined,
): Promise<NamedAgents> {
  const shown = agent === undefined ? sql`true` : sql`x.shown_key = ${agent.toLowerCase()}`;
  const { rows } =
    agentRoot === undefined
      ? await sql<{ id: number; isKey: boolean }>`
          select x.id, x.account_key = x.shown_key as "isKey" from agent x where ${shown} and ${inScope(scope, 'x.id')}`.execute(
          db,
        )
      : await sql<{ id: number; isKey: boolean }>`
          select x.id, ${agent === undefined ? sql`x.id = t.id` : sql`x.account_key = x.shown_key`} as "isKey"
          from agent t join closure c on c.ancestor = t.id join agent x on x.id = c.descendant
          where t.account_key = ${agentRoot.toLowerCase()} and t.deleted_at is null and ${inScope(scope, 't.id')}
            and ${shown} and ${inScope(scope, 'x.id')}`.execute(db);
  const key = rows.find(({ isKey }) => isKey)?.id;
  return {
    ids: key === undefined ? [] : rows.map(({ id }) => id),
    kind: agent === undefined ? KIND.tree : KIND.own,
    key: key ?? 0,
  };
}

/** All rows of a user lie with the agent that it has, so its agent decides whether they are asked for. */
async function ofUser({ db, scope }: Reader, { input, agents }: Asked): Promise<Target | 'nobody'> {
  const { account, userId } = whoOf(input);
  const named = account === undefined ? sql`true` : isAccount(sql.ref('u.account_key'), account);
  const numbered = userId === undefined ? sql`true` : sql`u.id = ${userId}::bigint`;
  const { rows } = await sql<{ id: number; agentId: number }>`
    select u.id, u.agent_id as "agentId" from users u
    where ${named} and ${numbered} and ${inScope(scope, 'u.agent_id')}`.execute(db);
  const [user] = rows;
  if (!user || (agents && !agents.ids.includes(user.agentId))) return 'nobody';
  return {
    kind: KIND.user,
    keys: [user.id],
    ids: [user.agentId],
    userId: user.id,
    pending: sql`user_key = ${user.id}`,
  };
}
