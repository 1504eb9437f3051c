import { randomUUID } from 'node:crypto';
import { INSURANCE_BOUND } from '@hengtai/contract/funds/house/facts';
import { DEMO_CAPITAL } from '@hengtai/contract/gateway/simulator';
import type { HouseTransfer } from '@hengtai/contract/funds/house/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { recordAudit } from '../actions/audit.store.ts';
import type { Db } from '../database/connect.ts';
import { requireTransfer } from '../domains/funds/house/house.rules.ts';
import { auditedTransfer, transferHouseMoney } from '../domains/funds/house/house.steps.ts';

const REASON = '演示数据';
/** In USDT. The simulated exchange pays what liquidations lose beyond the margin. */
const DEMO = { insurance: '1000000', bound: '200000' } as const;

/** Pays the owner's capital of a demo in, funds its insurance by the transfer that people use, and sets the bound of its alarm. */
export async function fundDemoHouse(db: Db, now: number): Promise<void> {
  const { rows } = await sql<{ marketId: number; marketName: string; rootId: number }>`
    select id as "marketId", market_name as "marketName", (select id from agent where depth = 0) as "rootId" from market
    where market_name = any(${Object.keys(DEMO_CAPITAL)}::text[]) order by id`.execute(db);
  for (const { marketId, marketName, rootId } of rows) {
    const transfers: HouseTransfer[] = [
      {
        marketId,
        from: 'custody',
        to: 'capital',
        amount: DEMO_CAPITAL[marketName] ?? '0',
        reason: REASON,
        txHash: 'demo',
      },
    ];
    if (marketName === SETTLEMENT)
      transfers.push({ marketId, from: 'capital', to: 'insurance', amount: DEMO.insurance, reason: REASON });
    for (const input of transfers) {
      requireTransfer(input);
      const nobody = { operatorId: null, checkerId: null, now };
      const done = await transferHouseMoney(db, input, { marketName }, nobody);
      const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
      const target = { targetType: 'house', targetId: marketId, agentId: rootId };
      const after = auditedTransfer(done);
      await recordAudit(db, who, { ...target, action: 'house.transfer', result: CODE.ok, after, reason: REASON });
    }
  }
  await sql`update config set num = ${DEMO.bound} where key = ${INSURANCE_BOUND}`.execute(db);
}
