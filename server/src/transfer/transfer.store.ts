import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

export interface NewTransfer {
  no: string;
  from: { id: number; agentId: number };
  to: { id: number; agentId: number };
  marketId: number;
  platform: number;
  toPlatform: number;
  amount: string;
  createdAt: number;
  now: number;
}

/** undefined when the number is known already. */
export async function insertTransfer(db: Db, row: NewTransfer): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into internal_transfer (no, user_id, agent_id, to_user_id, to_agent_id, market_id, platform, to_platform, amount,
      state, created_at, recorded_at, updated_at)
    values (${row.no}, ${row.from.id}, ${row.from.agentId}, ${row.to.id}, ${row.to.agentId}, ${row.marketId},
      ${row.platform}, ${row.toPlatform}, ${row.amount}::numeric, 1, ${row.createdAt}, ${row.now}, ${row.now})
    on conflict (no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}
