import { walletTransfer } from '@hengtai/contract/funds/wallet-transfer/calls';
import { Select } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../../actions/approval-words.ts';
import { useAmountPreview } from '../../../../actions/use-amount-preview.ts';
import { useMarketOptions } from '../../../../lists/market-options.ts';
import { useTabGuard } from '../../../../navigation/page-route.ts';
import { AmountInput } from '../../../../ui/form/AmountInput.tsx';
import { FormField, FormGrid } from '../../../../ui/form/FormPart.tsx';
import { formatGrouped } from '../../../../ui/value/decimal.ts';
import { Money } from '../../../../ui/value/Money.tsx';
import { amountOf } from '../../../../ui/value/amount.ts';
import { priceDetails } from '../../../../ui/value/price-details.tsx';
import { type TransferWallet, WalletSelect } from './WalletSelect.tsx';

interface Props {
  /** What the dialog is opened with. */
  from?: TransferWallet;
  to?: TransferWallet;
  amount?: string;
  reason?: string;
  /** Called after the transfer was ordered or submitted for approval. */
  onDone?: () => void;
  onClose: () => void;
}

const DEFAULT_MARKET = 1;

/** Level 2: orders a transfer between two wallets of one platform, coin and network. */
export function TransferRequestDialog({
  from: givenFrom,
  to: givenTo,
  amount: givenAmount = '',
  reason = '',
  onDone,
  onClose,
}: Props) {
  const names = useMarketOptions().marketId ?? {};
  const [marketId, setMarketId] = useState(givenFrom?.marketId ?? givenTo?.marketId ?? DEFAULT_MARKET);
  const [from, setFrom] = useState(givenFrom);
  const [to, setTo] = useState(givenTo);
  const [amountText, setAmountText] = useState(givenAmount);
  const amount = amountOf(amountText);
  const coin = from?.marketName ?? names[marketId] ?? '';
  const pair = from && to && { fromId: from.id, toId: to.id };
  const preview = useAmountPreview(walletTransfer.preview, pair, amount);
  const { data } = preview;
  const known = data ?? preview.without.data;
  const needsChecker = data?.refusal === null && data.needsApproval;
  const isDirty = from !== givenFrom || to !== givenTo || amountText !== givenAmount;
  useTabGuard(isDirty);

  const chooseFrom = (next: TransferWallet) => {
    setFrom(next);
    if (to && !canGive(next, to)) setTo(undefined);
  };
  const consequence =
    from && to && amount !== undefined
      ? `${from.name} 向 ${to.name} 转 ${formatGrouped(amount)} ${coin}。指令由平台的钱包执行，账本不变；钱包领取后不能撤销。`
      : '选择两个钱包并输入数量后，这里会说明将发生什么。';
  const problem = !from
    ? '请选择转出钱包'
    : !to
      ? '请选择转入钱包'
      : (known?.refusal ?? (amount === undefined ? '请输入数量' : preview.hasFailed ? '未能加载预览' : undefined));
  return (
    <ActionDialog
      call={walletTransfer.request}
      input={{ fromId: from?.id ?? 0, toId: to?.id ?? 0, amount: amount ?? '' }}
      title="新建调拨"
      verb="提交调拨"
      needsChecker={needsChecker}
      dirty={isDirty}
      reason={{ given: reason }}
      width={720}
      amounts={[{ value: amount ?? '', unit: coin }]}
      details={[
        { label: '可用', value: <Money value={known?.available} unit={coin} /> },
        { label: '估值', value: <Money value={data?.valuation} unit="USDT" digits={2} shortened /> },
        ...priceDetails(data),
      ]}
      blocked={problem}
      query={pair && preview.without}
      loading={preview.isPending}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      onDone={() => {
        onClose();
        onDone?.();
      }}
      onClose={onClose}
    >
      <FormGrid>
        <FormField label="币种">
          {(id) => (
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              value={marketId}
              options={Object.entries(names).map(([key, label]) => ({ value: Number(key), label }))}
              onChange={(next) => {
                setMarketId(next);
                setFrom(undefined);
                setTo(undefined);
              }}
            />
          )}
        </FormField>
        <FormField label="数量">
          {(id) => (
            <AmountInput
              id={id}
              label="数量"
              value={amountText}
              unit={coin}
              onChange={setAmountText}
              all={pair ? (known?.available ?? null) : undefined}
            />
          )}
        </FormField>
        <FormField label="转出钱包">
          {(id) => <WalletSelect id={id} marketId={marketId} value={from} onChange={chooseFrom} />}
        </FormField>
        <FormField label="转入钱包">
          {(id) => (
            <WalletSelect
              id={id}
              marketId={marketId}
              payer={from}
              disabled={from === undefined}
              value={to}
              onChange={setTo}
            />
          )}
        </FormField>
      </FormGrid>
    </ActionDialog>
  );
}

const canGive = (from: TransferWallet, to: TransferWallet): boolean =>
  from.id !== to.id && from.platformId === to.platformId && from.network === to.network;
