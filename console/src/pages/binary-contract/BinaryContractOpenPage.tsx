import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/ability';
import {
  BINARY_CONTRACT,
  BINARY_CONTRACT_VOID,
  binaryContract,
  binaryContractVoidReasons,
} from '@hengtai/contract/binary-contract';
import type { BinaryContractRow } from '@hengtai/contract/binary-contract.schema';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { BulkConfirm } from '../../shell/BulkConfirm.tsx';
import { usePageRoute } from '../../shell/page-route.ts';
import { useBulkAction } from '../../shell/use-bulk-action.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { RiskCards } from './RiskCards.tsx';
import { RiskDrawer } from './RiskDrawer.tsx';
import { BinaryContractDrawer } from './BinaryContractDrawer.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { ServerClock } from './clock.tsx';
import { openColumns, binaryContractSums, stakePageSum } from './columns.tsx';
import { NO_ABILITY, STALE, whyNot } from './words.ts';

const RUNNING = { running: 1, state: 0, type: 0 } as const;
/** The next one to end first. */
const NEXT = { sort: 'settleAt' } as const;
const RISK_EVERY_MS = 2_000;
/** Only what runs is voided, and voiding is the only change that there is. */
const VOID = { state: BINARY_CONTRACT.open, type: BINARY_CONTRACT_VOID };
const refund = { ...stakePageSum, note: '退款' };

/** 秒合约进行中: what runs and for how long still, and what the house may have to pay for it. */
export function BinaryContractOpenPage() {
  const able = useCan(ABILITY.orders);
  const { active } = usePageRoute();
  const list = useList(binaryContract.list, { seconds: 5, baseFilters: RUNNING, defaults: NEXT });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const [chosen, setChosen] = useState<BinaryContractRow>();
  const many = useBulkAction<BinaryContractRow, 'void'>(list, () => '批量作废秒合约');
  const [wide, setWide] = useState(false);
  const risk = useRead(binaryContract.risk, {}, { every: active && RISK_EVERY_MS });

  return (
    <ServerClock told={risk.data?.now} heardAt={risk.dataUpdatedAt}>
      <WaitingMarks targetType="second" ids={[...list.rows.map(({ id }) => id), openId]}>
        <ListFrame
          title="秒合约进行中"
          tools={
            <GreyedAction look="button" why={undefined} onClick={() => setWide(true)}>
              风险敞口
            </GreyedAction>
          }
          above={risk.data && <RiskCards risk={risk.data} />}
          list={list}
          columns={openColumns}
          options={options}
          sums={binaryContractSums}
          pageSum={stakePageSum}
          openId={openId}
          onOpen={(row) => open(row.id)}
          next="用户下秒合约后会出现在这里，结算后移到「秒合约历史」。"
          bulk={(rows) => [
            <GreyedAction
              key="void"
              look="button"
              danger
              why={able ? undefined : NO_ABILITY}
              onClick={() => many.ask('void', rows)}
            >
              批量作废
            </GreyedAction>,
          ]}
          actions={{
            width: 112,
            render: (row) => (
              <>
                <GreyedAction why={undefined} onClick={() => open(row.id)}>
                  详情
                </GreyedAction>
                <GreyedAction danger why={whyNot(row, able)} onClick={() => setChosen(row)}>
                  作废
                </GreyedAction>
              </>
            ),
          }}
        >
          <BinaryContractDrawer id={openId} able={able} onVoid={setChosen} onClose={close} />
          <RiskDrawer risk={risk.data} open={wide} onClose={() => setWide(false)} />
          {chosen && <VoidDialog row={chosen} onClose={() => setChosen(undefined)} />}
          {many.request && (
            <BulkConfirm
              call={binaryContract.changeMany}
              extraInput={VOID}
              invalidate={STALE}
              rows={many.request.rows}
              title="批量作废秒合约"
              verb="作废"
              amount={refund}
              whyNot={(row) => whyNot(row, true)}
              consequence="逐笔处理：合约结束，不计盈亏，下单金额全部退回用户秒合约账户。需要复核的转为提交复核；结算价已产生或状态已变化的不受影响并列出原因。"
              chips={binaryContractVoidReasons}
              onClose={many.onClose}
              onDone={many.onDone}
            />
          )}
          {many.results}
        </ListFrame>
      </WaitingMarks>
    </ServerClock>
  );
}
