import { inheritedTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitSave, LimitTerms, LimitVersion, UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { sql } from 'kysely';
import { type ApiResponse, type TestServer, call, unique } from './server.ts';

export type Tier = Pick<LimitSave, 'level'> | Pick<LimitSave, 'groupId'>;

/** The input that saves the next version of a tier. */
export async function limitInput(
  server: TestServer,
  market: string,
  tier: Tier,
  terms: Partial<LimitTerms> = {},
): Promise<LimitSave> {
  const { level = null, groupId = null } = tier as Partial<Record<'level' | 'groupId', number>>;
  const [row] = await server.query(sql<{ marketId: number; seen: number }>`
    select m.id as "marketId", coalesce((select max(version) from withdraw_limit l where l.market_id = m.id
      and l.level is not distinct from ${level}::smallint and l.group_id is not distinct from ${groupId}::bigint), 0) as seen
    from market m where m.market_name = ${market}`);
  if (!row) throw new Error(`no market ${market}`);
  return { ...inheritedTerms, ...terms, ...tier, ...row };
}

export async function saveLimit(
  server: TestServer,
  token: string,
  market: string,
  tier: Tier,
  terms: Partial<LimitTerms> = {},
): Promise<LimitVersion> {
  const input = await limitInput(server, market, tier, terms);
  const answer = await call<LimitVersion>(server, 'POST', 'withdraw/limit/save', input, { token });
  if (answer.code !== 200) throw new Error(`withdraw/limit/save: ${answer.code} ${answer.msg}`);
  return answer.data;
}

export async function makeGroup(server: TestServer, token: string, forAgents = true): Promise<UserGroup> {
  const input = { name: unique('group'), forAgents };
  const { data } = await call<UserGroup>(server, 'POST', 'user/group/save', input, { token });
  return data;
}

export const assign = (server: TestServer, token: string, id: number, groupId: number | null): Promise<ApiResponse> =>
  call(server, 'POST', 'user/group/assign', { id, groupId }, { token });
