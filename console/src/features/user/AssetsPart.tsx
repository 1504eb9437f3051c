import { type Platform, platformLabels } from '@hengtai/contract/money';
import { user } from '@hengtai/contract/user';
import type { AssetRow, UserDetail, UserRow } from '@hengtai/contract/user.schema';
import { Button, Segmented } from 'antd';
import { type ReactNode, useState } from 'react';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { sum } from '../../ui/decimal.ts';
import { ErrorState } from '../../ui/list-states.tsx';
import { MomentPicker } from './MomentPicker.tsx';

interface Props {
  detail: UserDetail;
  at: number | undefined;
  onAt: (at: number | undefined) => void;
  renderAssetActions: ((row: UserRow, asset?: AssetRow) => ReactNode) | undefined;
}

const ALL = -1;
const PLATFORMS = Object.keys(platformLabels).map(Number) as Platform[];
const CHOICES = [
  { value: ALL, label: '全部' },
  ...PLATFORMS.map((p) => ({ value: p as number, label: platformLabels[p] })),
];

const assetColumns: readonly MiniColumn<AssetRow>[] = [
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '可用', right: true, cell: ({ active }) => <Money value={active} digits={18} /> },
  { title: '冻结', right: true, cell: ({ frozen }) => <Money value={frozen} digits={18} /> },
  { title: '合计', right: true, cell: ({ total }) => <Money value={total} digits={18} /> },
  { title: '估值(USDT)', right: true, cell: ({ valuation }) => <Money value={valuation} digits={2} rough /> },
];

/** Balances of a user by account type, now or at a past time. */
export function AssetsPart({ detail, at, onAt, renderAssetActions }: Props) {
  const [platform, setPlatform] = useState(ALL);
  const { row } = detail;
  const isPast = at !== undefined;
  const pastBalances = useRead(user.balance, { id: row.id, at: at ?? 0 }, { enabled: isPast, staleTime: Infinity });
  const assets = isPast ? pastBalances.data : detail.assets;
  const displayedPlatforms = PLATFORMS.filter((p) => platform === ALL || platform === p);
  // Past balances cannot be adjusted.
  const actions = isPast ? undefined : renderAssetActions;

  return (
    <>
      <div className="us-bar">
        <Segmented
          aria-label="账户类型"
          options={CHOICES}
          value={platform}
          onChange={(value) => setPlatform(value)}
          className="us-platforms"
        />
        <span className="us-gap" />
        {actions?.(row)}
        <MomentPicker value={at} onChange={onAt} />
      </div>
      {isPast && (
        <p className="us-past" role="status">
          <span>
            历史余额：截至 <Time value={at} />
            ，不是当前余额。
          </span>
          <Button size="small" onClick={() => onAt(undefined)}>
            回到现在
          </Button>
        </p>
      )}
      {isPast && pastBalances.error && !pastBalances.data ? (
        <ErrorState error={toDisplayError(pastBalances.error)} onRetry={() => void pastBalances.refetch()} />
      ) : assets ? (
        <div className="us-assets" data-past={isPast}>
          <p className="us-total">
            <span>{isPast ? '当时总估值' : '总估值'}</span>
            <Money value={totalValuation(assets)} unit="USDT" digits={2} rough />
          </p>
          {displayedPlatforms.map((p) => (
            <Account
              key={p}
              platform={p}
              rows={assets.filter((asset) => asset.platform === p)}
              actions={actions && ((asset) => actions(row, asset))}
            />
          ))}
        </div>
      ) : (
        <span className="ht-skeleton-line us-bone" role="status" aria-label="加载中" />
      )}
    </>
  );
}

interface AccountProps {
  platform: Platform;
  rows: readonly AssetRow[];
  actions: ((asset: AssetRow) => ReactNode) | undefined;
}

function Account({ platform, rows, actions }: AccountProps) {
  return (
    <Section
      title={platformLabels[platform]}
      aside={
        <>
          估值 <Money value={totalValuation(rows)} unit="USDT" digits={2} rough />
        </>
      }
    >
      <MiniTable
        label={platformLabels[platform]}
        rows={rows}
        keyOf={({ marketId }) => marketId}
        none="没有资产"
        columns={actions ? [...assetColumns, { title: '操作', right: true, cell: actions }] : assetColumns}
      />
    </Section>
  );
}

/** The total valuation in USDT as a decimal string; null if any row has none. */
function totalValuation(rows: readonly AssetRow[]): string | null {
  const valuations = rows.flatMap(({ valuation }) => (valuation === null ? [] : [valuation]));
  return valuations.length === rows.length ? sum(valuations) : null;
}
