import type { AlarmKind } from '@hengtai/contract/notify';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { tell } from '../notify/notice.store.ts';

/** Something that needs a person, and that no state of a row can show; it stays open until an operator closes it. */
export interface Alarm {
  kind: AlarmKind;
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
  const { kind, refType, refId, agentId, now } = alarm;
  await tell(db, { type: 'alarm.raised', refType, refId, agentId, detail: kind, at: now, now });
}
