import { type MarketType } from '@hengtai/contract/trading/market/type';
import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Db } from '../../../database/connect.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { evaluateBand } from './price-protection.rules.ts';
import { type Halt, haltMarket, resumeMarket } from './halt.store.ts';
import { setInside, lockWatchedPriceProtections } from './price-protection.store.ts';

/**
 * Checks ticks that were just recorded and halts market types whose price left the band, in the transaction of the ticks.
 *
 * @returns whether a market was halted
 */
export async function guardBands(
  db: Db,
  ticks: readonly { marketId: number; tick: { price: string; at: number } }[],
  now: number,
): Promise<boolean> {
  if (ticks.length === 0) return false;
  let halted = false;
  const protections = await lockWatchedPriceProtections(db, [...new Set(ticks.map(({ marketId }) => marketId))]);
  for (const protection of protections) {
    const { marketId, marketType, planMinute } = protection;
    const ownTicks = ticks.filter((one) => one.marketId === marketId).map(({ tick }) => tick);
    const { inside, trigger } = evaluateBand(protection, ownTicks, now);
    if (trigger) {
      const halt = { marketId, marketType, ...trigger, by: null, reason: '', planMinute, now };
      if (await haltAndNotify(db, halt)) {
        halted = true;
        await recordSystemAudit(db, 'plan.trigger', { id: marketId, marketType }, trigger, now);
      }
    }
    if (trigger ? inside : inside !== protection.inside) await setInside(db, protection, inside);
  }
  return halted;
}

/** Halts a market type and notifies the platform and operators. Returns false if it was halted already. */
export async function haltAndNotify(db: Db, halt: Halt): Promise<boolean> {
  const { marketId, marketType, at, resumeAt, price, now } = halt;
  const marketName = await haltMarket(db, halt);
  if (marketName === undefined) return false;
  const data = { marketName, marketType, haltedAt: at, resumeAt, price };
  await enqueue(db, { type: 'market.halted', refType: 'market', refId: marketId, data, now });
  const notification = {
    refType: 'plan',
    refId: marketId,
    marketId,
    agentId: null,
    detail: String(marketType),
  } as const;
  await recordNotification(db, { type: 'plan.halted', ...notification, at, now });
  return true;
}

/** Ends a halt and notifies the platform and operators; `by` null: its time is over. Returns false if there is none. */
export async function resumeAndNotify(
  db: Db,
  key: { id: number; marketType: MarketType },
  by: string | null,
  now: number,
): Promise<boolean> {
  const marketName = await resumeMarket(db, key, { at: now, by });
  if (marketName === undefined) return false;
  const { id, marketType } = key;
  await enqueue(db, { type: 'market.resumed', refType: 'market', refId: id, data: { marketName, marketType }, now });
  const notification = { refType: 'plan', refId: id, marketId: id, agentId: null, detail: String(marketType) } as const;
  await recordNotification(db, { type: 'plan.resumed', ...notification, at: now, now });
  return true;
}

/** Writes the audit row of a halt or resumption without an operator. */
export async function recordSystemAudit(
  db: Db,
  action: 'plan.trigger' | 'plan.resumed',
  { id, marketType }: { id: number; marketType: MarketType },
  after: object,
  now: number,
): Promise<void> {
  const system = { operator: null, sessionId: null, ip: '', userAgent: '', requestId: `plan-${id}-${marketType}`, now };
  await recordAudit(db, system, {
    action,
    result: CODE.ok,
    targetType: 'plan',
    targetId: id,
    after: { marketType, ...after },
  });
}
