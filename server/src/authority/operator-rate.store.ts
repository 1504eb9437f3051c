import { refusals } from '@hengtai/contract/wire/refusals';
import { sql } from 'kysely';
import type { Ctx } from '../app/context.ts';
import { withFullScope } from '../database/connect.ts';
import { refuse } from '../app/refuse.ts';

const MINUTE_MS = 60_000;

/** Maximum uses in any 60 seconds, by one operator or by all operators of one branch together. */
interface Rate {
  name: string;
  max: number;
  by: 'operator' | 'branch';
}

export const AGENTS_ADDED: Rate = { name: 'agent.add', max: 60, by: 'operator' };
/** Accounts are unique across all trees, so the answer "taken" reveals an account of another tree. */
export const TAKEN_ACCOUNTS: Rate = { name: 'account.taken', max: 10, by: 'branch' };

type RateCtx = Pick<Ctx, 'db' | 'operator' | 'now'>;

/**
 * Counts one use. The row stays locked until the transaction ends, so parallel requests cannot exceed the rate. A
 * rollback also undoes the count.
 *
 * @throws Refused 429 when the rate is used up
 */
export async function countUse({ db, operator, now }: RateCtx, rate: Rate): Promise<void> {
  const recent = sql`array(select t from unnest(r.times) as t where t > ${now - MINUTE_MS})`;
  const { numAffectedRows } = await withFullScope(db, () =>
    sql`
      insert into operator_rate as r (operator_id, name, times)
      values (${ownerOf(operator.id, rate)}, ${rate.name}, array[${now}::bigint])
      on conflict (operator_id, name) do update set times = ${recent} || ${now}::bigint
      where cardinality(${recent}) < ${rate.max}`.execute(db),
  );
  if (numAffectedRows !== 1n) throw refuse(refusals.tooMany);
}

/** Takes back the last use that this transaction counted. */
export async function removeUse({ db, operator }: RateCtx, rate: Rate): Promise<void> {
  await withFullScope(db, () =>
    sql`update operator_rate set times = trim_array(times, 1)
      where operator_id = ${ownerOf(operator.id, rate)} and name = ${rate.name}`.execute(db),
  );
}

/** The rate of a branch is stored with its topmost operator. */
const ownerOf = (operatorId: number, { by }: Rate) =>
  by === 'branch' ? sql`branch_of(${operatorId}::bigint)` : sql`${operatorId}::bigint`;
