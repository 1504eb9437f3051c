import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Something that needs a person, and that no state of a row can show; it stays open until an operator closes it. */
export interface Alarm {
  kind: 'recharge.reversed' | 'withdraw.paidAfterRefund';
  refType: string;
  refId: number;
  agentId: number;
  detail: object;
  now: number;
}

export async function raiseAlarm(db: Db, alarm: Alarm): Promise<void> {
  await sql`insert into alarm (kind, ref_type, ref_id, agent_id, detail, created_at)
    values (${alarm.kind}, ${alarm.refType}, ${alarm.refId}, ${alarm.agentId}, ${JSON.stringify(alarm.detail)}::jsonb,
      ${alarm.now})`.execute(db);
}
