import './withdraw-limit.css';
import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitCoin, LimitList, UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { Select } from 'antd';
import { useState } from 'react';
import { WaitingMark, WaitingMarks } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { useRenewal } from '../../../ui/form/FormPart.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GroupTable } from './GroupTable.tsx';
import { LimitTable } from './LimitTable.tsx';
import { type TierRow, coinLimitsOf } from './words.ts';

const LimitDialog = dialogOnDemand(async () => (await import('./LimitDialog.tsx')).LimitDialog);
const VersionsDrawer = onDemand(async () => (await import('./VersionsDrawer.tsx')).VersionsDrawer);
const GroupDialog = dialogOnDemand(async () => (await import('./GroupDialog.tsx')).GroupDialog);
const DeleteGroupDialog = dialogOnDemand(async () => (await import('./GroupDialog.tsx')).DeleteGroupDialog);

type Dialog =
  | { kind: 'edit' | 'versions'; coin: LimitCoin; row: TierRow }
  | { kind: 'group'; group?: UserGroup }
  | { kind: 'delete'; group: UserGroup };

/** 提现限额与手续费: the terms of each level and group for a coin, and the groups. */
export function LimitPage() {
  const { data, error, refetch } = useRead(withdrawLimit.list, {});
  const [marketId, setMarketId] = useState<number>();
  const [dialog, setDialog] = useState<Dialog>();
  const renewal = useRenewal();
  const close = () => setDialog(undefined);
  if (!data)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  const coin = data.coins.find((one) => one.marketId === marketId) ?? firstLimited(data) ?? data.coins[0];
  return (
    <div className="ht-withdraw-limit-page">
      <PageHeading
        title="提现限额与手续费"
        note={`按认证等级和用户组；用户组优先于认证等级，认证等级优先于币种，逐项继承。每日额度在 ${renewal} 更新（UTC 日）`}
      >
        <GreyedAction look="button" onClick={() => setDialog({ kind: 'group' })}>
          新增用户组
        </GreyedAction>
      </PageHeading>
      {coin && (
        <WaitingMarks targetType="withdrawLimit" ids={[coin.marketId]}>
          <Section
            title="限额与手续费"
            aside={<WaitingMark id={coin.marketId} />}
            more={<CoinChoice data={data} coin={coin} onChange={setMarketId} />}
          >
            <LimitTable
              data={data}
              coin={coin}
              onEdit={(row) => setDialog({ kind: 'edit', coin, row })}
              onVersions={(row) => setDialog({ kind: 'versions', coin, row })}
            />
          </Section>
        </WaitingMarks>
      )}
      <WaitingMarks targetType="userGroup" ids={data.groups.map(({ id }) => id)}>
        <Section title="用户组" aside={`${data.groups.length} 个`}>
          <GroupTable
            groups={data.groups}
            onEdit={(group) => setDialog({ kind: 'group', group })}
            onDelete={(group) => setDialog({ kind: 'delete', group })}
          />
        </Section>
      </WaitingMarks>
      {dialog?.kind === 'edit' && <LimitDialog data={data} coin={dialog.coin} row={dialog.row} onClose={close} />}
      {dialog?.kind === 'versions' && <VersionsDrawer coin={dialog.coin} row={dialog.row} onClose={close} />}
      {dialog?.kind === 'group' && <GroupDialog {...dialog} coins={coinLimitsOf(data)} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <DeleteGroupDialog group={dialog.group} coins={coinLimitsOf(data)} onClose={close} />
      )}
    </div>
  );
}

const isLimited = ({ limits }: LimitList, { marketId }: LimitCoin): boolean =>
  limits.some((limit) => limit.marketId === marketId);

const firstLimited = (data: LimitList): LimitCoin | undefined => data.coins.find((coin) => isLimited(data, coin));

interface CoinChoiceProps {
  data: LimitList;
  coin: LimitCoin;
  onChange: (marketId: number) => void;
}

/** Chooses the coin of the table; coins with terms say so. */
const CoinChoice = ({ data, coin, onChange }: CoinChoiceProps) => (
  <Select
    aria-label="币种"
    className="ht-withdraw-limit-coin"
    showSearch={{ optionFilterProp: 'label' }}
    value={coin.marketId}
    options={data.coins.map((one) => ({
      value: one.marketId,
      label: isLimited(data, one) ? `${one.marketName}（已设置）` : one.marketName,
    }))}
    onChange={onChange}
  />
);
