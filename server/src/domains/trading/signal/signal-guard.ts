import { CHECK_LEVERAGE } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { futureSides } from '@hengtai/contract/trading/future/calls';
import { labelOf } from '@hengtai/contract/wire/labels';
import { signal as calls } from '@hengtai/contract/trading/signal/calls';
import { LEVERAGE_ALONE, signalStates, SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import type { Db } from '../../../database/connect.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import type { Terms } from './signal.rules.ts';

/** A signal belongs to no agent, so its approvals belong to the tree of their maker. */
export const subjectOf = houseSubject('signal');

type Risk = Pick<SignalRow, 'leverage' | 'state'>;

/** Whether a signal has more leverage than one person may publish. One that runs already adds no risk. */
export async function isRisky(db: Db, after: Risk, before?: Risk): Promise<boolean> {
  if (after.leverage <= LEVERAGE_ALONE || after.state === SIGNAL.ended) return false;
  return before?.state !== SIGNAL.running && isSettingOn(db, CHECK_LEVERAGE);
}

type Shown = Terms & Pick<SignalRow, 'state' | 'marketName'>;

export const previewSignal = (after: Shown, before: Shown | undefined, problem: string | null): Preview => ({
  input: [textItem('须复核', `杠杆超过 ${LEVERAGE_ALONE} 倍`), ...itemsOf(after)],
  now: before ? itemsOf(before) : [],
  legs: [],
  problem,
});

const columns: readonly { field: string; title: string }[] = calls.list.list.columns;
const titleOf = (field: string): string => columns.find((column) => column.field === field)?.title ?? labelOf(field);

function itemsOf(signal: Shown): ApprovalItem[] {
  const { title, marketName, side, leverage, price, takeProfit, stopLoss, ratio, minAmount, maxAmount, state } = signal;
  const amounts = { price, takeProfit, stopLoss, ratio, minAmount, maxAmount };
  return [
    textItem(titleOf('title'), title),
    textItem(titleOf('marketName'), marketName),
    textItem(titleOf('side'), futureSides[side as keyof typeof futureSides]),
    textItem(titleOf('leverage'), `${leverage} 倍`),
    ...Object.entries(amounts).map(([field, amount]) => textItem(titleOf(field), amount ?? '--')),
    textItem(titleOf('startAt'), new Date(signal.startAt).toISOString()),
    textItem(titleOf('endAt'), new Date(signal.endAt).toISOString()),
    textItem(titleOf('state'), signalStates[state as keyof typeof signalStates]),
  ];
}
