import { sql } from 'kysely';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import type { Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';

const types = {
  id: 'bigint',
  no: 'text',
  batch: 'text',
  kind: 'int',
  userId: 'bigint',
  agentId: 'bigint',
  marketId: 'bigint',
  platform: 'int',
  amount: 'numeric',
  reason: 'text',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type NewCorporateAction = BulkRow<typeof types>;

/** @throws Rejected if the number exists */
export const newCorporateActions: Writer<NewCorporateAction & { no: string }> = {
  tables: ['corporate_action'],
  write: insertActions,
};

async function insertActions(db: Db, rows: readonly NewCorporateAction[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into corporate_action (id, no, batch, kind, user_id, agent_id, market_id, platform, amount, reason, created_at,
      recorded_at) overriding system value
    select id, no, batch, kind, "userId", "agentId", "marketId", platform, amount, reason, "createdAt", now
    from ${unnestRows('a', types, rows)} order by n
    on conflict (no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(rows.length)) throw reject('exists');
}

export async function isKnownCorporateAction(db: Db, no: string): Promise<boolean> {
  const { rows } = await sql`select 1 from corporate_action where no = ${no}`.execute(db);
  return rows.length > 0;
}
