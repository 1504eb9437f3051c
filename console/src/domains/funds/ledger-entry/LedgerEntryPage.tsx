import { ledgerEntryActions, ledgerEntryStates } from '@hengtai/contract/funds/ledger-entry/facts';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import {
  type LedgerEntryAction,
  type LedgerEntryState,
  ledgerEntry,
  ledgerEntryActionStates,
} from '@hengtai/contract/funds/ledger-entry/calls';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import { newKey, useAction } from '../../../api/hooks.ts';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { RowDrawer } from '../../../lists/RowDrawer.tsx';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { entryPageSums, entrySums } from '../../../records/entry-sums.ts';
import { ledgerEntryColumns } from './columns.tsx';

prefetchList(ledgerEntry.record, '/fund/record');

const QUESTIONS = { check: '标记为已核对？', doubt: '标记为存疑？', reset: '撤销核对标记？' } as const;
const ACTIONS = Object.keys(ledgerEntryActions) as LedgerEntryAction[];

const DONE: Readonly<Record<LedgerEntryAction, string>> = {
  check: '已标记核对',
  doubt: '已标记存疑',
  reset: '已撤销核对',
};

/** 资金记录: all ledger entries of users, with their reconciliation marks. */
export function LedgerEntryPage() {
  const hasAbility = useCan(ABILITY.assets);
  const list = useList(ledgerEntry.record);
  const actions = {
    check: useAction(ledgerEntry.check),
    doubt: useAction(ledgerEntry.doubt),
    reset: useAction(ledgerEntry.reset),
  };

  const mark = (action: LedgerEntryAction, { id }: LedgerEntryRow) =>
    runWithErrorToast(() => actions[action].submit({ id }, newKey()), `${DONE[action]} · 资金记录 #${id}`);

  return (
    <ListFrame
      list={list}
      columns={ledgerEntryColumns}
      sums={entrySums}
      pageSums={entryPageSums}
      emptyHint="用户的每一笔资金变动都会记在这里：充值、提现、交易、手续费和调整。第一笔充值到账后开始有记录。"
      onOpen={list.open}
      actions={{
        width: 176,
        open: '详情',
        render: (row) =>
          ACTIONS.map((action) => (
            <ConfirmableAction
              key={action}
              disabledReason={disabledReasonOf(action, row, hasAbility)}
              question={`资金记录 #${row.id}（${row.account}）${QUESTIONS[action]}`}
              onYes={() => mark(action, row)}
            >
              {ledgerEntryActions[action].short}
            </ConfirmableAction>
          )),
      }}
    >
      <RowDrawer noun="资金记录" list={list} columns={ledgerEntryColumns} />
    </ListFrame>
  );
}

function disabledReasonOf(action: LedgerEntryAction, row: LedgerEntryRow, hasAbility: boolean): string | undefined {
  if (!hasAbility) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  const states: readonly number[] = ledgerEntryActionStates[action];
  return states.includes(row.state) ? undefined : `当前为「${ledgerEntryStates[row.state as LedgerEntryState]}」`;
}
