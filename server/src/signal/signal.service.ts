import { SIGNAL, type SignalState, signal as calls, signalStates } from '@hengtai/contract/signal';
import type { SignalAdd, SignalChange, SignalId, SignalRow } from '@hengtai/contract/signal.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import { type Refused, refuse, refuseMoved } from '../refuse.ts';
import {
  type Terms,
  changedTerms,
  validateMarket,
  validatePrecision,
  validateTerms,
  validateTime,
  termsOf,
} from './signal.rules.ts';
import { findSignal, findSignalMarket, insertSignal, platformSignal, updateSignal } from './signal.store.ts';

export async function signalDetail(ctx: Ctx, { id }: SignalId): Promise<SignalRow> {
  const row = await findSignal(ctx, id);
  if (!row) throw refuse(refusals.notFound);
  return row;
}

/** A new signal, as a draft or published at once. */
export const signalAdd = defineAction<SignalAdd, SignalRow>({
  name: 'signal.add',
  call: calls.add,
  validate: (input) => validateTerms(termsOf(input)),
  execute: async (ctx, input) => {
    const terms = termsOf(input);
    const state = input.state ?? SIGNAL.draft;
    validateMarket(terms, await findSignalMarket(ctx.db, terms.marketId), undefined);
    validateTime(terms, state, ctx.now);
    const row = await signalDetail(ctx, { id: await insertSignal(ctx, terms, state) });
    if (state === SIGNAL.running) await publishSignal(ctx.db, row.id, ctx.now);
    return { data: row, subject: { type: 'signal', id: row.id }, after: kept(row) };
  },
});

export const signalChange = defineAction<SignalChange, SignalRow, SignalRow>({
  name: 'signal.change',
  call: calls.change,
  load: (ctx, { id }) => findSignal(ctx, id),
  check: (_ctx, row, { version }) => {
    const isStale = version !== undefined && row.version !== version;
    if (row.state === SIGNAL.ended || isStale) throw moved(row);
  },
  execute: async (ctx, input, before) => {
    const { terms, state } = changedTerms(before, input);
    validateTerms(terms);
    const market = await findSignalMarket(ctx.db, terms.marketId);
    // A draft that is only put away need not be fit to be published.
    if (before.state === SIGNAL.draft && state !== SIGNAL.ended) validateMarket(terms, market, undefined);
    else validatePrecision(terms, market, before);
    validateTime(terms, state, ctx.now);
    const changed = await updateSignal(ctx, before, terms, state);
    const after = await signalDetail(ctx, { id: before.id });
    if (!changed) throw moved(after);
    // Of a draft the platform has never heard, so it need not hear that it will not come.
    if (before.state === SIGNAL.running || state === SIGNAL.running) await publishSignal(ctx.db, after.id, ctx.now);
    return {
      data: after,
      subject: { type: 'signal', id: after.id },
      before: differing(before, after),
      after: differing(after, before),
    };
  },
});

/** Tells the platform how a signal stands now. */
export async function publishSignal(db: Db, id: number, now: number): Promise<void> {
  const data = await platformSignal(db, id);
  await enqueue(db, { type: 'signal.published', refType: 'signal', refId: id, data, now });
}

const moved = (row: SignalRow): Refused =>
  refuseMoved(signalStates[row.state as SignalState], { state: row.state, by: row.by, at: row.updatedAt });

type Kept = Terms & Pick<SignalRow, 'state' | 'marketName'>;

function kept(row: SignalRow): Kept {
  const { title, marketId, marketName, side, leverage, price, takeProfit, stopLoss, ratio } = row;
  const { minAmount, maxAmount, startAt, endAt, state } = row;
  const prices = { price, takeProfit, stopLoss };
  const limits = { ratio, minAmount, maxAmount, startAt, endAt };
  return { title, marketId, marketName, side, leverage, ...prices, ...limits, state };
}

/** What of a row is other than in the other one. */
function differing(row: SignalRow, other: SignalRow): Partial<Kept> {
  const others = kept(other) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(kept(row)).filter(([field, value]) => others[field] !== value));
}
