import type { IdInput } from '@hengtai/contract/wire/schema';
import { type SignalState, signal as calls } from '@hengtai/contract/trading/signal/calls';
import { signalStates, SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalAdd, SignalChange, SignalRow } from '@hengtai/contract/trading/signal/schema';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { problemOf } from '../../../actions/preview.ts';
import { type Refused, requireFound, refuseState } from '../../../app/refuse.ts';
import { isRisky, previewSignal, subjectOf } from './signal-guard.ts';
import {
  type SignalMarket,
  type Terms,
  changedTerms,
  hasValues,
  validateMarket,
  validatePrecision,
  validateTerms,
  validateTime,
  signalTermsOf,
} from './signal.rules.ts';
import { findSignal, findSignalMarket, insertSignal, findPlatformSignal, updateSignal } from './signal.store.ts';

export async function signalDetail(ctx: Ctx, { id }: IdInput): Promise<SignalRow> {
  return requireFound(await findSignal(ctx, id));
}

/** Adds a signal as a draft, or publishes it at once. */
export const signalAdd = defineAction<SignalAdd, SignalRow, { market: SignalMarket | undefined }>({
  call: calls.add,
  validate: (input) => validateTerms(signalTermsOf(input)),
  load: async (ctx, { marketId }) => ({ market: await findSignalMarket(ctx.db, marketId) }),
  check: ({ now }, { market }, input) => validateNew(input, market, now),
  guard: {
    loosens: (ctx, _target, input) => isRisky(ctx.db, { ...signalTermsOf(input), state: stateOf(input) }),
    // A new signal has no id yet, so one of them at a time can wait for a checker.
    subject: (_target, ctx) => subjectOf(ctx, { id: 0 }),
    preview: async (ctx, input) => {
      const market = await findSignalMarket(ctx.db, input.marketId);
      const after = { ...signalTermsOf(input), state: stateOf(input), marketName: market?.marketName ?? '--' };
      return previewSignal(after, undefined, await problemOf(() => validateNew(input, market, ctx.now)));
    },
  },
  execute: async (ctx, input) => {
    const terms = signalTermsOf(input);
    const state = stateOf(input);
    const row = await signalDetail(ctx, { id: await insertSignal(ctx, terms, state) });
    if (state === SIGNAL.running) await publishSignal(ctx.db, row.id, ctx.now);
    return { data: row, subject: { type: 'signal', id: row.id }, after: auditFields(row) };
  },
});

export const signalChange = defineAction<SignalChange, SignalRow, SignalRow>({
  call: calls.change,
  load: (ctx, { id }) => findSignal(ctx, id),
  check: (_ctx, row, { version }) => {
    if (row.state === SIGNAL.ended) throw refuseState(signalStates, row);
    if (version !== undefined && row.version !== version) throw refuseStale(row, version);
  },
  setting: { record: (row) => ({ data: row, subject: { type: 'signal', id: row.id } }), isSet: hasValues },
  guard: {
    loosens: async (ctx, before, input) => {
      const { terms, state } = await validChange(ctx, before, input);
      return isRisky(ctx.db, { ...terms, state }, before);
    },
    subject: (target, ctx) => subjectOf(ctx, target),
    preview: async (ctx, input) => {
      const before = requireFound(await findSignal(ctx, input.id, true));
      const { terms, state } = changedTerms(before, input);
      const market = await findSignalMarket(ctx.db, terms.marketId);
      const after = { ...terms, state, marketName: market?.marketName ?? '--' };
      return previewSignal(after, before, await problemOf(() => validChange(ctx, before, input)));
    },
  },
  execute: async (ctx, input, before) => {
    const { terms, state } = await validChange(ctx, before, input);
    const isUpdated = await updateSignal(ctx, before, terms, state);
    const after = await signalDetail(ctx, { id: before.id });
    if (!isUpdated)
      throw after.state === SIGNAL.ended ? refuseState(signalStates, after) : refuseStale(after, before.version);
    // The platform does not know drafts, so it is not notified when one is discarded.
    if (before.state === SIGNAL.running || state === SIGNAL.running) await publishSignal(ctx.db, after.id, ctx.now);
    return {
      data: after,
      subject: { type: 'signal', id: after.id },
      before: changedFields(before, after),
      after: changedFields(after, before),
    };
  },
});

const refuseStale = ({ id, version, state, by, updatedAt }: SignalRow, read: number): Refused =>
  refuseStaleSave({
    target: { type: 'signal', id },
    versions: version - read,
    current: { state, by, at: updatedAt },
  });

/**
 * Applies a change.
 *
 * @throws Refused 422 if the result is not valid
 */
async function validChange(ctx: Ctx, before: SignalRow, input: SignalChange): Promise<ReturnType<typeof changedTerms>> {
  const { terms, state } = changedTerms(before, input);
  validateTerms(terms);
  const market = await findSignalMarket(ctx.db, terms.marketId);
  // A draft that is discarded need not be valid for publishing.
  if (before.state === SIGNAL.draft && state !== SIGNAL.ended) validateMarket(terms, market, undefined);
  else validatePrecision(terms, market, before);
  validateTime(terms, state, ctx.now);
  return { terms, state };
}

function validateNew(input: SignalAdd, market: SignalMarket | undefined, now: number): void {
  const terms = signalTermsOf(input);
  validateMarket(terms, market, undefined);
  validateTime(terms, stateOf(input), now);
}

const stateOf = ({ state = SIGNAL.draft }: SignalAdd): SignalState => state;

/** Enqueues the current state of a signal for the platform. */
export async function publishSignal(db: Db, id: number, now: number): Promise<void> {
  const data = await findPlatformSignal(db, id);
  await enqueue(db, { type: 'signal.published', refType: 'signal', refId: id, data, now });
}

type AuditFields = Terms & Pick<SignalRow, 'state' | 'marketName'>;

function auditFields(row: SignalRow): AuditFields {
  const { title, marketId, marketName, side, leverage, price, takeProfit, stopLoss, ratio } = row;
  const { minAmount, maxAmount, startAt, endAt, state } = row;
  const prices = { price, takeProfit, stopLoss };
  const limits = { ratio, minAmount, maxAmount, startAt, endAt };
  return { title, marketId, marketName, side, leverage, ...prices, ...limits, state };
}

/** The audit fields of `row` that differ from `other`. */
function changedFields(row: SignalRow, other: SignalRow): Partial<AuditFields> {
  const others = auditFields(other) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(auditFields(row)).filter(([field, value]) => others[field] !== value));
}
