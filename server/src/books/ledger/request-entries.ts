import type { SpotDetail } from '@hengtai/contract/trading/spot/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../app/context.ts';
import { inScope } from '../../database/scope.ts';

/** A ledger entry on the detail page of a request. */
export type RequestEntry = SpotDetail['entries'][number];

const ENTRIES_MAX = 200;

/** Fetches the newest entries of a request on its user's accounts; entries of the house are left out. */
export async function fetchRequestEntries(ctx: Ctx, refType: string, refId: number): Promise<RequestEntry[]> {
  const { rows } = await sql<RequestEntry>`
    select e.id, m.market_name as "marketName", e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id join market m on m.id = e.market_id
    where t.ref_type = ${refType} and t.ref_id = ${refId} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id desc limit ${ENTRIES_MAX}`.execute(ctx.db);
  return rows;
}
