import { CHECK_LEVERAGE } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { type FutureSide, futureSides } from '@hengtai/contract/trading/future/calls';
import { labelOf } from '@hengtai/contract/wire/labels';
import { signal as calls, signalFields } from '@hengtai/contract/trading/signal/calls';
import { LEVERAGE_ALONE, signalStates, SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { type Preview, textItem, timeItem } from '../../../actions/preview.ts';
import { changeOf } from '../../../actions/record-change.ts';
import { pick } from '../../../app/pick.ts';
import type { Db } from '../../../database/connect.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import type { Terms } from './signal.rules.ts';

/** A signal belongs to no agent, so its approvals belong to the tree of their maker. */
export const subjectOf = houseSubject('signal');

const columnTitles: Readonly<Record<string, string>> = Object.fromEntries(
  calls.list.list.columns.map(({ field, title }) => [field, title]),
);
const titleOf = (field: string): string => columnTitles[field] ?? labelOf(field);

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
  changes: [
    changeOf(
      { action: 'signal.change', targetType: 'signal' },
      { title: after.title, before: before ? fieldsOf(before) : null, after: fieldsOf(after) },
      { names: columnTitles, texts: { side: (side: FutureSide) => futureSides[side] } },
    ),
  ],
});

const fieldsOf = pick(...signalFields.map((field) => (field === 'marketId' ? 'marketName' : field)), 'state');

function itemsOf(signal: Shown): ApprovalItem[] {
  const { title, marketName, side, leverage, price, takeProfit, stopLoss, ratio, minAmount, maxAmount, state } = signal;
  const amounts = { price, takeProfit, stopLoss, ratio, minAmount, maxAmount };
  return [
    textItem(titleOf('title'), title),
    textItem(titleOf('marketName'), marketName),
    textItem(titleOf('side'), futureSides[side as keyof typeof futureSides]),
    textItem(titleOf('leverage'), `${leverage} 倍`),
    ...Object.entries(amounts).map(([field, amount]) => textItem(titleOf(field), amount ?? '--')),
    timeItem(titleOf('startAt'), signal.startAt),
    timeItem(titleOf('endAt'), signal.endAt),
    textItem(titleOf('state'), signalStates[state as keyof typeof signalStates]),
  ];
}
