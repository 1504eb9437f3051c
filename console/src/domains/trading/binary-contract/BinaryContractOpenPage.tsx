import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { BINARY_CONTRACT_VOID } from '@hengtai/contract/wire/input-values';
import { BINARY_CONTRACT_RESULT, binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { OrderBulkDialog } from '../../../actions/BulkDialog.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { useBulkAction } from '../../../actions/use-bulk-action.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { RISK_CARDS_HEIGHT, RiskCards } from './RiskCards.tsx';
import { RiskDrawer } from './RiskDrawer.tsx';
import { BinaryContractDrawer } from './BinaryContractDrawer.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { ServerClock } from './clock.tsx';
import { openColumns, runningSums, stakeSum } from './columns.tsx';
import { NO_ABILITY, disabledReasonOf } from './words.ts';

const RUNNING = { running: 1, state: BINARY_CONTRACT.open, type: BINARY_CONTRACT_RESULT.none } as const;
/** Soonest settlement first. */
const NEXT = { sort: 'settleAt' } as const;
const RISK_REFETCH_MS = 2_000;
/** Constant part of the call: only open contracts are voided, and `type` has no other value. */
const VOID = { state: BINARY_CONTRACT.open, type: BINARY_CONTRACT_VOID };
const refund = { ...stakeSum, note: '退款' };

/** 秒合约进行中: running contracts with their remaining time, and the exposure of the house. */
export function BinaryContractOpenPage() {
  const hasAbility = useCan(ABILITY.orders);
  const { active } = usePageRoute();
  const list = useList(binaryContract.list, {
    seconds: 5,
    baseFilters: RUNNING,
    defaults: NEXT,
    above: RISK_CARDS_HEIGHT,
  });
  const [voiding, setVoiding] = useState<BinaryContractRow>();
  const bulk = useBulkAction<BinaryContractRow, 'void'>(list, () => '批量作废秒合约');
  const [isRiskOpen, setRiskOpen] = useState(false);
  const risk = useRead(binaryContract.risk, {}, { refetchMs: active && RISK_REFETCH_MS });

  return (
    <ServerClock serverNow={risk.data?.now} receivedAt={risk.dataUpdatedAt}>
      <ListFrame
        targetType="second"
        tools={
          <GreyedAction look="button" onClick={() => setRiskOpen(true)}>
            风险敞口
          </GreyedAction>
        }
        above={<RiskCards query={risk} onMore={() => setRiskOpen(true)} />}
        list={list}
        columns={openColumns}
        sums={runningSums}
        lineUnit="个市场"
        onOpen={list.open}
        emptyHint="用户下秒合约后会出现在这里，结算后移到「秒合约历史」。"
        bulk={(rows) => [
          <GreyedAction
            key="void"
            look="button"
            danger
            disabledReason={hasAbility ? undefined : NO_ABILITY}
            onClick={() => bulk.ask('void', rows)}
          >
            批量作废
          </GreyedAction>,
        ]}
        actions={{
          width: 100,
          open: '详情',
          render: (row) => (
            <GreyedAction danger disabledReason={disabledReasonOf(row, hasAbility)} onClick={() => setVoiding(row)}>
              作废
            </GreyedAction>
          ),
        }}
      >
        <BinaryContractDrawer id={list.openId} hasAbility={hasAbility} onVoid={setVoiding} onClose={list.close} />
        <RiskDrawer query={risk} open={isRiskOpen} onClose={() => setRiskOpen(false)} />
        {voiding && <VoidDialog row={voiding} onClose={() => setVoiding(undefined)} />}
        {bulk.request && (
          <OrderBulkDialog
            call={binaryContract.changeMany}
            input={VOID}
            rows={bulk.request.rows}
            title="批量作废秒合约"
            verb="作废"
            sum={refund}
            disabledReasonOf={(row) => disabledReasonOf(row, true)}
            consequence="逐笔处理：合约结束，不计盈亏，下单金额全部退回用户秒合约账户。需要复核的转为提交复核；结算价已产生或状态已变化的不受影响并列出原因。"
            onClose={bulk.onClose}
            onDone={bulk.onDone}
          />
        )}
        {bulk.results}
      </ListFrame>
    </ServerClock>
  );
}
