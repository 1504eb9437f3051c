import type { SpotDetail } from '@hengtai/contract/spot.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';

/** A line of the ledger as the page of one request shows it. */
export type RequestEntry = SpotDetail['entries'][number];

const SHOWN = 200;

/** What one request moved in its user's accounts, the newest first; the lines of the house are nobody's business here. */
export async function entriesOf(ctx: Ctx, refType: string, refId: number): Promise<RequestEntry[]> {
  const { rows } = await sql<RequestEntry>`
    select e.id, m.market_name as "marketName", e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id join market m on m.id = e.market_id
    where t.ref_type = ${refType} and t.ref_id = ${refId} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id desc limit ${SHOWN}`.execute(ctx.db);
  return rows;
}
