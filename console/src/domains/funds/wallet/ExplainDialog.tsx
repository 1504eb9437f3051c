import './wallet-item.css';
import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { walletItemCauses } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { Radio } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { targetText } from '@hengtai/contract/authority/target';
import { itemStateText, ownProblemOf, postingText } from './item-words.ts';

/** Level 3: explains an item, and posts what no user owns if the operator says so. */
export function ExplainDialog({ row, onClose }: RecordDialogProps<WalletItem>) {
  const { id, move, record } = row;
  const [own, setOwn] = useState<boolean>();
  const problem = ownProblemOf(row);
  return (
    <ActionDialog
      call={wallet.explain}
      input={{ id, own: own ?? false }}
      amounts={[{ value: row.amount, unit: row.marketName }]}
      details={[
        { label: '原因', value: walletItemCauses[row.why] },
        { label: '平台', value: row.platformName },
        { label: '链上流水', value: move?.no ?? '没有', wide: true },
        {
          label: '业务记录',
          value: record ? targetText({ targetType: record.type, targetId: record.id }) : '没有',
          wide: true,
        },
      ]}
      {...(row.txHash !== '' && { address: { label: '交易哈希', value: row.txHash } })}
      {...(own !== undefined && { consequence: consequenceOf(row, own) })}
      challenge={{ label: '请输入编号以确认', expect: String(id) }}
      blocked={own === undefined ? '请选择是否入账' : undefined}
      dirty={own !== undefined}
      stateText={itemStateText}
      onClose={onClose}
    >
      <Radio.Group
        aria-label="是否入账"
        className="ht-wallet-item-own"
        value={own}
        onChange={(event) => setOwn(event.target.value as boolean)}
      >
        <Radio value={false}>
          不入账，只说明
          <small>已向平台核实，账本不变。平台稍后补报时照常处理。</small>
        </Radio>
        <Radio value disabled={problem !== undefined}>
          自有资金，入账
          <small>{problem ?? `没有用户拥有它：${postingText(row)}。`}</small>
        </Radio>
      </Radio.Group>
      <GuardNote call="wallet.explain" />
    </ActionDialog>
  );
}

const consequenceOf = (row: WalletItem, own: boolean): string =>
  `${own ? `${postingText(row)}，不能撤销` : '差异改为「已说明」，账本不变'}。超过复核额度的转为提交复核。`;
