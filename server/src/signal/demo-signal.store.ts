import { CODE } from '@hengtai/contract/envelope';
import { FUTURE_SIDE } from '@hengtai/contract/future';
import { SIGNAL } from '@hengtai/contract/signal';
import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.store.ts';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { enqueue } from '../gateway/command.store.ts';
import type { Terms } from './signal.rules.ts';
import { insertSignal, platformSignal } from './signal.store.ts';

const DAY_MS = 24 * 3_600_000;

interface Idea {
  market: string;
  title: string;
  side: number;
  leverage: number;
  /** Of the price of now, in percent: where the profit is taken and where the loss is stopped. */
  gain: string;
  loss: string;
  ratio: string;
  minAmount: string;
  maxAmount: string;
  days: number;
  state: number;
}

/** What an operator of a demo would have written: near enough to the price that some of it comes to its end. */
const IDEAS: readonly Idea[] = [
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

interface Priced {
  id: number;
  marketName: string;
  price: string;
  precision: number;
  by: string;
}

/**
 * The first signals of a demo, in the admin's name, at the prices that the simulated platform has told; a market without a
 * price gets none. They are kept, published and audited as an operator's are.
 */
export async function writeDemoSignals(db: Db, who: Parameters<typeof recordAudit>[1]): Promise<void> {
  const { rows } = await sql<Priced>`
    select m.id, m.market_name as "marketName", m.price, m.price_precision as precision,
      (select a.account from agent a where a.parent_id is null) as "by"
    from market m where m.price is not null and m.future = 1 and m.state = 1`.execute(db);
  for (const idea of IDEAS) {
    const market = rows.find(({ marketName }) => marketName === idea.market);
    if (market) await write({ db, now: who.now, operator: { account: market.by } }, who, idea, market);
  }
}

type Writer = Pick<Ctx, 'db' | 'now'> & { operator: { account: string } };

async function write(as: Writer, who: Parameters<typeof recordAudit>[1], idea: Idea, market: Priced): Promise<void> {
  const terms = termsOf(idea, market, as.now);
  const id = await insertSignal(as, terms, idea.state);
  if (idea.state === SIGNAL.running) {
    const data = await platformSignal(as.db, id);
    await enqueue(as.db, { type: 'signal.published', refType: 'signal', refId: id, data, now: as.now });
  }
  await recordAudit(as.db, who, {
    action: 'signal.add',
    result: CODE.ok,
    targetType: 'signal',
    targetId: id,
    after: { ...terms, marketName: market.marketName, state: idea.state },
    reason: '演示数据',
  });
}

function termsOf(idea: Idea, { id, price, precision }: Priced, now: number): Terms {
  const { title, side, leverage, gain, loss, ratio, minAmount, maxAmount, days } = idea;
  const rises = side === FUTURE_SIDE.long;
  const at = (percent: string, above: boolean): string =>
    new Decimal(price)
      .mul(new Decimal(100).plus(above ? percent : `-${percent}`))
      .div(100)
      .toDecimalPlaces(precision)
      .toFixed();
  const prices = { price, takeProfit: at(gain, rises), stopLoss: at(loss, !rises) };
  const limits = { ratio, minAmount, maxAmount, startAt: now, endAt: now + days * DAY_MS };
  return { title, marketId: id, side, leverage, ...prices, ...limits };
}
