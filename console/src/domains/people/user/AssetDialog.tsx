import './asset.css';
import { ASSET, asset } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction, assetActions } from '@hengtai/contract/funds/asset/facts';
import { type Platform, platformLabels } from '@hengtai/contract/values/money';
import { user } from '@hengtai/contract/people/user/calls';
import type { AssetRow, UserRow } from '@hengtai/contract/people/user/schema';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { FormField, FormGrid } from '../../../ui/form/FormPart.tsx';
import { CheckerNote } from '../../../actions/CheckerNote.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { priceDetails } from '../../../ui/value/price-details.tsx';
import { amountOf } from '../../../ui/value/amount.ts';
import { AssetCounts, AssetPlace, AssetVerbs } from './asset-fields.tsx';
import { AdjustmentPreview } from './AdjustmentPreview.tsx';
import { assetConsequence, availableLabels } from './asset-words.ts';
import { useAssetPreview } from './use-asset-preview.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

export interface AssetDialogProps {
  user: Pick<UserRow, 'id' | 'account'>;
  /** The account to adjust; if undefined the dialog has fields for coin and account type. */
  asset?: Pick<AssetRow, 'marketId' | 'marketName' | 'platform'> | undefined;
  /** The action; if undefined the dialog has a field for it. */
  action?: AssetAction | undefined;
  onClose: () => void;
}

const CALLS = { 1: asset.activeAdd, 2: asset.activeSub, 3: asset.frozenAdd, 4: asset.frozenSub } as const;

/** Level 2: increases, decreases, freezes or releases a balance of a user. It is open as long as it is mounted. */
export function AssetDialog({ user: owner, asset: fixedAccount, action: fixedAction, onClose }: AssetDialogProps) {
  const [action, setAction] = useState<AssetAction>(fixedAction ?? ASSET.activeAdd);
  const [place, setPlace] = useState({
    marketId: fixedAccount?.marketId ?? 1,
    platform: (fixedAccount?.platform ?? 1) as Platform,
  });
  const [amountText, setAmountText] = useState('');
  const [reportState, setReportState] = useState<0 | 1>(0);
  const amount = amountOf(amountText);
  const preview = useAssetPreview({ userId: owner.id, ...place, action }, amount);
  const balances = useRead(user.asset, { id: owner.id, platform: place.platform }, { staleTime: 0 });
  const row = balances.data?.find(({ marketId }) => marketId === place.marketId);
  const [coins, setCoins] = useState<Readonly<Record<number, string>>>({});
  const coin = fixedAccount?.marketName ?? row?.marketName ?? coins[place.marketId] ?? '';
  const isDirty = amountText !== '';
  useTabGuard(isDirty);

  const verb = assetActions[action];
  const refusal = preview.data?.refusal ?? undefined;
  const needsChecker = refusal === undefined && (preview.data?.needsApproval ?? false);
  const changesTotal = action === ASSET.activeAdd || action === ASSET.activeSub;

  return (
    <ActionDialog
      call={CALLS[action]}
      input={{
        userId: owner.id,
        ...place,
        amount: amount ?? '',
        // Freezing moves no money out of the account, so reports never count it.
        state: changesTotal ? reportState : 0,
      }}
      title={`${fixedAction ? verb : '调整'}资产 · ${owner.account}`}
      verb={needsChecker ? '提交复核' : verb}
      danger={action === ASSET.activeSub}
      dirty={isDirty}
      width={720}
      amounts={[{ value: amount ?? '', unit: coin }]}
      details={[
        { label: '用户', value: `${owner.account}（${owner.id}）` },
        { label: '估值', value: <Money value={preview.data?.valuation} unit="USDT" digits={2} shortened /> },
        ...priceDetails(preview.data),
        ...(fixedAccount
          ? [
              { label: '币种', value: coin },
              { label: '账户类型', value: platformLabels[place.platform] },
            ]
          : []),
        { label: '可用', value: <Money value={balances.data && (row?.active ?? '0')} unit={coin} /> },
        { label: '冻结', value: <Money value={balances.data && (row?.frozen ?? '0')} unit={coin} /> },
      ]}
      blocked={amount === undefined ? '请输入数量' : (refusal ?? preview.problem)}
      query={balances}
      loading={amount !== undefined && preview.pending}
      onClose={onClose}
    >
      <div className="ht-user-asset-fields">
        <FormGrid>
          {fixedAction === undefined && <AssetVerbs value={action} onChange={setAction} />}
          {!fixedAccount && <AssetPlace value={place} onChange={setPlace} onCoins={setCoins} />}
          <FormField
            label="数量"
            hint={
              action === ASSET.activeAdd ? (
                '最多 18 位小数'
              ) : (
                <>
                  {availableLabels[action]} <Money value={preview.available} unit={coin} />
                </>
              )
            }
          >
            {(id) => (
              <AmountInput
                id={id}
                label="数量"
                value={amountText}
                unit={coin}
                onChange={setAmountText}
                all={action === ASSET.activeAdd ? undefined : (preview.available ?? null)}
              />
            )}
          </FormField>
          {changesTotal && <AssetCounts action={action} value={reportState} onChange={setReportState} />}
        </FormGrid>
        {needsChecker && <CheckerNote userId={owner.id} />}
        <AdjustmentPreview preview={preview} />
        <p className="ht-dialog-consequence ht-user-asset-consequence" data-danger={action === ASSET.activeSub}>
          {amount === undefined
            ? '输入数量后，这里会说明将发生什么。'
            : refusal !== undefined
              ? `当前不能执行：${refusal}。`
              : assetConsequence(
                  action,
                  { account: owner.account, place: platformLabels[place.platform], amount, coin },
                  needsChecker,
                )}
        </p>
      </div>
    </ActionDialog>
  );
}
