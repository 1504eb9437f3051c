import './asset.css';
import { ASSET, type AssetAction, asset, assetActions, assetReasons } from '@hengtai/contract/asset';
import { ledgerEntry } from '@hengtai/contract/ledger-entry';
import { home } from '@hengtai/contract/home';
import { type Platform, platformLabels } from '@hengtai/contract/money';
import { user } from '@hengtai/contract/user';
import type { AssetRow, UserRow } from '@hengtai/contract/user.schema';
import { useState } from 'react';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { useTabGuard } from '../../shell/page-route.ts';
import { AmountInput } from '../../ui/AmountInput.tsx';
import { CheckerNote } from '../../shell/CheckerNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Money } from '../../ui/Money.tsx';
import { amountOf } from '../../ui/amount.ts';
import { AssetCounts, AssetPlace, AssetVerbs } from './asset-fields.tsx';
import { AdjustmentPreview } from './AdjustmentPreview.tsx';
import { assetConsequence } from './asset-words.ts';
import { useAssetPreview } from './use-asset-preview.ts';

export interface AssetDialogProps {
  user: Pick<UserRow, 'id' | 'account'>;
  /** The account that is adjusted; without it the dialog asks for coin and account type. */
  asset?: Pick<AssetRow, 'marketId' | 'marketName' | 'platform'> | undefined;
  /** Without it the dialog asks what to do. */
  action?: AssetAction | undefined;
  onClose: () => void;
}

const STALE = [user.asset, user.detail, user.list, ledgerEntry.record, home.state, asset.preview];

/** Level 2: what a user has is added to, taken from, frozen or released by hand. Mount it to open it. */
export function AssetDialog({ user: who, asset: given, action: asked, onClose }: AssetDialogProps) {
  const [action, setAction] = useState<AssetAction>(asked ?? ASSET.activeAdd);
  const [place, setPlace] = useState({ marketId: given?.marketId ?? 1, platform: (given?.platform ?? 1) as Platform });
  const [typed, setTyped] = useState('');
  const [counts, setCounts] = useState<0 | 1>(0);
  const actions = {
    1: useAction(asset.activeAdd, { invalidate: STALE }),
    2: useAction(asset.activeSub, { invalidate: STALE }),
    3: useAction(asset.frozenAdd, { invalidate: STALE }),
    4: useAction(asset.frozenSub, { invalidate: STALE }),
  };
  const amount = amountOf(typed);
  const preview = useAssetPreview({ userId: who.id, ...place, action }, amount);
  const held = useRead(user.asset, { id: who.id, platform: place.platform }, { staleTime: 0 });
  const row = held.data?.find(({ marketId }) => marketId === place.marketId);
  const [coins, setCoins] = useState<Readonly<Record<number, string>>>({});
  const coin = given?.marketName ?? row?.marketName ?? coins[place.marketId] ?? '';
  const dirty = typed !== '';
  useTabGuard(dirty);

  const verb = assetActions[action];
  const refusal = preview.data?.refusal ?? undefined;
  const second = refusal === undefined && (preview.data?.needsApproval ?? false);
  const flow = action === ASSET.activeAdd || action === ASSET.activeSub;

  async function run(reason: string, key: string) {
    if (amount === undefined) return undefined;
    // What is frozen never leaves the user, so no report counts it.
    const input = { userId: who.id, ...place, amount, state: flow ? counts : (0 as const), reason };
    const error = await settle(async () => {
      const outcome = await actions[action].submit(input, key);
      if (outcome.kind === 'done') toast.success(outcome.msg);
    });
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={`${asked ? verb : '调整'}资产 · ${who.account}`}
      verb={second ? '提交复核' : verb}
      danger={action === ASSET.activeSub}
      dirty={dirty}
      width={720}
      amounts={[{ value: amount ?? '', unit: coin }]}
      details={[
        { label: '用户', value: `${who.account}（${who.id}）` },
        { label: '估值', value: <Money value={preview.data?.valuation} unit="USDT" digits={2} rough /> },
        ...(given
          ? [
              { label: '币种', value: coin },
              { label: '账户类型', value: platformLabels[place.platform] },
            ]
          : []),
        { label: '可用', value: <Money value={held.data && (row?.active ?? '0')} unit={coin} digits={18} /> },
        { label: '冻结', value: <Money value={held.data && (row?.frozen ?? '0')} unit={coin} digits={18} /> },
      ]}
      blocked={amount === undefined ? '请输入数量' : (refusal ?? preview.trouble)}
      loading={amount !== undefined && preview.pending}
      reason={{ required: true, chips: assetReasons[action] }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <div className="as-fields">
        {asked === undefined && <AssetVerbs value={action} onChange={setAction} />}
        {!given && <AssetPlace value={place} onChange={setPlace} onCoins={setCoins} />}
        <AmountInput
          label="数量"
          value={typed}
          unit={coin}
          onChange={setTyped}
          all={action === ASSET.activeAdd ? undefined : (preview.available ?? null)}
        />
        {flow && <AssetCounts action={action} value={counts} onChange={setCounts} />}
        {second && <CheckerNote userId={who.id} />}
        <AdjustmentPreview action={action} coin={coin} preview={preview} />
        <p className="ht-consequence as-consequence" data-danger={action === ASSET.activeSub}>
          {amount === undefined
            ? '输入数量后，这里会说明将发生什么。'
            : refusal !== undefined
              ? `当前不能执行：${refusal}。`
              : assetConsequence(
                  action,
                  { account: who.account, place: platformLabels[place.platform], amount, coin },
                  second,
                )}
        </p>
      </div>
    </ConfirmDialog>
  );
}
