import './house.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { house } from '@hengtai/contract/funds/house/calls';
import { Select } from 'antd';
import { useState } from 'react';
import { WaitingMark, WaitingMarks, useWaitingIds } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { MomentPicker, PastNote } from '../../../lists/MomentPicker.tsx';
import { useMarketOptions } from '../../../lists/market-options.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { dialogOnDemand } from '../../../ui/page/on-demand.tsx';
import { HouseTable } from './HouseTable.tsx';

const TransferDialog = dialogOnDemand(async () => (await import('./TransferDialog.tsx')).TransferDialog);

const REFETCH_MS = 30_000;
const ALL = 0;
const NO_ABILITY = `没有「${abilityLabels[ABILITY.assets]}」权限`;

/** The coin and the moment, which are in the address. */
function useHouseAddress() {
  const { search, setSearch } = usePageRoute();
  const numberOf = (name: string): number | undefined => {
    const text = search.get(name) ?? '';
    return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  };
  const set = (name: 'at' | 'marketId', value: number | undefined) =>
    setSearch((query) => {
      const next = new URLSearchParams(query);
      if (value === undefined) next.delete(name);
      else next.set(name, String(value));
      return next;
    });
  return { at: numberOf('at'), marketId: numberOf('marketId'), set };
}

/** 平台账户: the balances of the house by account and coin, now or at a past time. */
export function HousePage() {
  const { at, marketId, set } = useHouseAddress();
  const canTransfer = useCan(ABILITY.assets);
  const names = useMarketOptions().marketId ?? {};
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useRead(house.list, at === undefined ? {} : { at }, {
    ...(at === undefined && { refetchMs: REFETCH_MS }),
    keepPrevious: true,
  });
  if (!data)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  const ids = Object.keys(names).map(Number);
  return (
    <div className="ht-house-page">
      <PageHeading title="平台账户" note="每个币种的平台账户与用户余额合计为零">
        <GreyedAction
          look="button"
          primary
          disabledReason={canTransfer ? undefined : NO_ABILITY}
          onClick={() => setIsOpen(true)}
        >
          划转
        </GreyedAction>
      </PageHeading>
      {at !== undefined && <PastNote at={at} onNow={() => set('at', undefined)} />}
      <WaitingMarks targetType="house" ids={ids}>
        <Section
          title="余额"
          aside={<WaitingCoins names={names} />}
          more={
            <div className="ht-house-tools">
              <Select
                aria-label="币种"
                className="ht-house-coin"
                showSearch={{ optionFilterProp: 'label' }}
                value={marketId ?? ALL}
                options={[{ value: ALL, label: '全部币种' }, ...ids.map((id) => ({ value: id, label: names[id] }))]}
                onChange={(id) => set('marketId', id === ALL ? undefined : id)}
              />
              <MomentPicker value={at} onChange={(next) => set('at', next)} />
            </div>
          }
        >
          <HouseTable
            balances={data.balances.filter((line) => marketId === undefined || line.marketId === marketId)}
            insuranceMin={data.bound}
            isPast={at !== undefined}
          />
        </Section>
      </WaitingMarks>
      {isOpen && <TransferDialog marketId={marketId} names={names} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

/** The coins with a transfer that waits for a second person. */
const WaitingCoins = ({ names }: { names: Readonly<Record<string, string>> }) => (
  <span className="ht-house-waiting">
    {useWaitingIds().map((id) => (
      <span key={id}>
        {names[id]} <WaitingMark id={id} />
      </span>
    ))}
  </span>
);
