import { commandAbility, isDecidedByRecord } from '@hengtai/contract/house/command/calls';
import { commandTypes } from '@hengtai/contract/house/command/facts';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';

/** The tables of the records of users that commands refer to, by the command's `ref_type`. */
const tables: Readonly<Record<string, { table: string; hasMarket: boolean }>> = {
  withdraw: { table: 'withdraw', hasMarket: true },
  recharge: { table: 'recharge', hasMarket: true },
  auth: { table: 'auth', hasMarket: false },
  ieo: { table: 'ieo', hasMarket: true },
  trade: { table: 'trade_order', hasMarket: true },
  future: { table: 'future_order', hasMarket: true },
  second: { table: 'second_contract', hasMarket: true },
  follow: { table: 'follow', hasMarket: false },
  message: { table: 'service_message', hasMarket: false },
  entry: { table: 'entry', hasMarket: true },
};

/**
 * Lateral subquery with user_id, agent_id and market_id of the record that a command refers to. It returns no row if
 * the command concerns no user.
 *
 * @param command alias of a row with ref_type and ref_id
 */
export function ownerOf(command: string): RawBuilder<unknown> {
  const [type, id] = [sql.ref(`${command}.ref_type`), sql.ref(`${command}.ref_id`)];
  const records = Object.entries(tables).map(
    ([refType, { table, hasMarket }]) => sql`
      select r.user_id, r.agent_id, ${hasMarket ? sql`r.market_id` : sql`null::bigint`} as market_id
      from ${sql.table(table)} r where ${type} = ${sql.lit(refType)} and r.id = ${id}`,
  );
  const users = sql`select r.id, r.agent_id, null::bigint from users r where ${type} = 'user' and r.id = ${id}`;
  return sql`lateral (${sql.join([...records, users], sql` union all `)})`;
}

/** User and agent of the record that a command refers to; both null if it concerns no user. */
export async function findOwner(
  db: Db,
  refType: string,
  refId: number,
): Promise<{ userId: number | null; agentId: number | null }> {
  const { rows } = await sql<{ userId: number | null; agentId: number | null }>`
    select o.user_id as "userId", o.agent_id as "agentId"
    from (select ${refType}::text as ref_type, ${refId}::bigint as ref_id) c, ${ownerOf('c')} o`.execute(db);
  return rows[0] ?? { userId: null, agentId: null };
}

/** The unknown commands that the operator may resolve, as the text after `from`. Others are decided through their record. */
export function unknownCommands({ scope, operator }: Pick<Ctx, 'scope' | 'operator'>): RawBuilder<unknown> {
  const types = Object.keys(commandTypes).filter(
    (type) => can(operator, commandAbility(type)) && !isDecidedByRecord(type),
  );
  return sql`command c left join ${ownerOf('c')} o on true
    where c.state = ${sql.lit(COMMAND.unknown)} and c.type = any(${types}::text[])
      and ${inScope(scope, 'o.agent_id')}`;
}
