import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractConfigRow } from '@hengtai/contract/trading/binary-contract/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useMarketOptions } from '../../../lists/market-options.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { ConfigDialog } from './ConfigDialog.tsx';
import { configColumns } from './columns.tsx';
import { NO_SETTING_ABILITY } from './words.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const ConfigDrawer = onDemand(async () => (await import('./ConfigDrawer.tsx')).ConfigDrawer);

const IN_ORDER = { sort: 'sort' } as const;

/** 秒合约设置: contract lengths and their payout rates, for all markets or for one. */
export function BinaryContractConfigPage() {
  const hasAbility = useCan(ABILITY.markets);
  const list = useList(binaryContract.configList, { defaults: IN_ORDER });
  const options = useMarketOptions();
  const [edited, setEdited] = useState<{ row: BinaryContractConfigRow | undefined }>();
  const [deleted, setDeleted] = useState<BinaryContractConfigRow>();
  const disabledReason = hasAbility ? undefined : NO_SETTING_ABILITY;
  const markets = options.marketId ?? {};
  const actions = (row: BinaryContractConfigRow, look: 'text' | 'button') => (
    <>
      <GreyedAction look={look} disabledReason={disabledReason} onClick={() => setEdited({ row })}>
        修改
      </GreyedAction>
      <GreyedAction look={look} danger disabledReason={disabledReason} onClick={() => setDeleted(row)}>
        删除
      </GreyedAction>
    </>
  );
  return (
    <ListFrame
      targetType="secondConfig"
      tools={
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => setEdited({ row: undefined })}>
          新增设置
        </GreyedAction>
      }
      list={list}
      columns={configColumns}
      options={{ marketId: { 0: '全部市场', ...markets } }}
      emptyHint="点右上角「新增设置」加一个时长，平台才能开出秒合约。"
      onOpen={list.open}
      actions={{ width: 154, open: '详情', render: (row) => actions(row, 'text') }}
    >
      {list.openId !== undefined && (
        <ConfigDrawer id={list.openId} actions={(row) => actions(row, 'button')} onClose={list.close} />
      )}
      {edited && <ConfigDialog row={edited.row} markets={markets} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteDialog row={deleted} onClose={() => setDeleted(undefined)} />}
    </ListFrame>
  );
}

/** Level 2: stops new contracts of this length. Running contracts keep the terms they were opened with. */
function DeleteDialog({ row, onClose }: { row: BinaryContractConfigRow; onClose: () => void }) {
  return (
    <ActionDialog
      call={binaryContract.configDel}
      input={{ id: row.id }}
      title={`删除秒合约设置 #${row.id}`}
      verb="删除设置"
      danger
      details={[
        { label: '市场', value: row.marketName },
        { label: '时长', value: `${row.seconds} 秒` },
        { label: '收益率', value: `${row.payoutRate}%` },
        { label: '最小下单', value: <Money value={row.minAmount} unit={SETTLEMENT} /> },
        { label: '进行中', value: `${row.running} 笔` },
      ]}
      consequence={`删除后不再接受此时长的新单${row.marketId === 0 ? '' : '，除非「全部市场」有相同时长'}；进行中的合约按下单时的条款结算。`}
      reason={{ chips: ['下线时长', '设置有误'] }}
      onClose={onClose}
    >
      <GuardNote call="second.configDel" />
    </ActionDialog>
  );
}
