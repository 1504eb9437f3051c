import { CODE } from '@hengtai/contract/wire/envelope';
import { FUTURE_SIDE } from '@hengtai/contract/trading/future/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import type { Terms } from './signal.rules.ts';
import { insertSignal, findPlatformSignal } from './signal.store.ts';

const DAY_MS = 24 * 3_600_000;

interface DemoSignal {
  market: string;
  title: string;
  side: number;
  leverage: number;
  /** Distance of take-profit and stop-loss from the current price, in percent. */
  gain: string;
  loss: string;
  ratio: string;
  minAmount: string;
  maxAmount: string;
  days: number;
  state: number;
}

/** Take-profit and stop-loss are near the price, so that some signals end while the demo runs. */
const DEMO_SIGNALS: readonly DemoSignal[] = [
  {
    market: 'BTC',
    title: 'BTC 突破回踩做多',
    side: FUTURE_SIDE.long,
    leverage: 10,
    gain: '1.2',
    loss: '0.8',
    ratio: '20',
    minAmount: '20',
    maxAmount: '2000',
    days: 14,
    state: SIGNAL.running,
  },
  {
    market: 'ETH',
    title: 'ETH 区间上沿做空',
    side: FUTURE_SIDE.short,
    leverage: 5,
    gain: '2',
    loss: '1.2',
    ratio: '15',
    minAmount: '20',
    maxAmount: '1500',
    days: 10,
    state: SIGNAL.running,
  },
  {
    market: 'SOL',
    title: 'SOL 趋势延续做多',
    side: FUTURE_SIDE.long,
    leverage: 8,
    gain: '3',
    loss: '2',
    ratio: '10',
    minAmount: '10',
    maxAmount: '800',
    days: 7,
    state: SIGNAL.running,
  },
  {
    market: 'XRP',
    title: 'XRP 波段做空（待确认）',
    side: FUTURE_SIDE.short,
    leverage: 3,
    gain: '4',
    loss: '2.5',
    ratio: '10',
    minAmount: '10',
    maxAmount: '500',
    days: 7,
    state: SIGNAL.draft,
  },
];

interface PricedMarket {
  id: number;
  marketName: string;
  price: string;
  precision: number;
  by: string;
}

/**
 * Writes the first signals of a demo in the name of the admin, at the current prices of the simulated platform. Markets without
 * a price get none. The signals are stored, published and audited like those of an operator.
 */
export async function writeDemoSignals(db: Db, auditContext: Parameters<typeof recordAudit>[1]): Promise<void> {
  const { rows } = await sql<PricedMarket>`
    select m.id, m.market_name as "marketName", m.price, m.price_precision as precision,
      (select a.account from agent a where a.parent_id is null) as "by"
    from market m where m.price is not null and m.future = 1 and m.state = 1`.execute(db);
  for (const signal of DEMO_SIGNALS) {
    const market = rows.find(({ marketName }) => marketName === signal.market);
    if (!market) continue;
    const writer = { db, now: auditContext.now, operator: { account: market.by } };
    await writeSignal(writer, auditContext, signal, market);
  }
}

type Writer = Pick<Ctx, 'db' | 'now'> & { operator: { account: string } };

async function writeSignal(
  writer: Writer,
  auditContext: Parameters<typeof recordAudit>[1],
  signal: DemoSignal,
  market: PricedMarket,
): Promise<void> {
  const terms = termsOf(signal, market, writer.now);
  const id = await insertSignal(writer, terms, signal.state);
  if (signal.state === SIGNAL.running) {
    const data = await findPlatformSignal(writer.db, id);
    await enqueue(writer.db, { type: 'signal.published', refType: 'signal', refId: id, data, now: writer.now });
  }
  await recordAudit(writer.db, auditContext, {
    action: 'signal.add',
    result: CODE.ok,
    targetType: 'signal',
    targetId: id,
    after: { ...terms, marketName: market.marketName, state: signal.state },
    reason: '演示数据',
  });
}

function termsOf(signal: DemoSignal, { id, price, precision }: PricedMarket, now: number): Terms {
  const { title, side, leverage, gain, loss, ratio, minAmount, maxAmount, days } = signal;
  const isLong = side === FUTURE_SIDE.long;
  const priceAt = (percent: string, isAbove: boolean): string =>
    new Decimal(price)
      .mul(new Decimal(100).plus(isAbove ? percent : `-${percent}`))
      .div(100)
      .toDecimalPlaces(precision)
      .toFixed();
  const prices = { price, takeProfit: priceAt(gain, isLong), stopLoss: priceAt(loss, !isLong) };
  const limits = { ratio, minAmount, maxAmount, startAt: now, endAt: now + days * DAY_MS };
  return { title, marketId: id, side, leverage, ...prices, ...limits };
}
