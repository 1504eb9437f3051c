import { approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalOpen } from '@hengtai/contract/desk/approval/schema';
import { type Platform, platformLabels } from '@hengtai/contract/values/money';
import { user } from '@hengtai/contract/people/user/calls';
import type { AssetRow, UserDetail, UserRow } from '@hengtai/contract/people/user/schema';
import { Segmented } from 'antd';
import { type ReactNode, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { MomentPicker, PastNote } from '../../../lists/MomentPicker.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { negate, sum } from '../../../ui/value/decimal.ts';
import { ErrorState } from '../../../ui/table/list-states.tsx';

interface Props {
  detail: UserDetail;
  at: number | undefined;
  onAt: (at: number | undefined) => void;
  renderAssetActions: ((row: UserRow, asset?: AssetRow) => ReactNode) | undefined;
}

const ALL = -1;
const PENDING_MS = 15_000;
const PLATFORMS = Object.keys(platformLabels).map(Number) as Platform[];
const CHOICES = [
  { value: ALL, label: '全部' },
  ...PLATFORMS.map((p) => ({ value: p as number, label: platformLabels[p] })),
];

const assetColumns = (pending: readonly ApprovalOpen[]): readonly MiniColumn<AssetRow>[] => [
  { title: '币种', nowrap: true, cell: ({ marketName }) => marketName },
  {
    title: '可用',
    right: true,
    cell: (row) => (
      <>
        <PendingChanges pending={pending} row={row} types={activeSigns} />
        <Money value={row.active} />
      </>
    ),
  },
  {
    title: '冻结',
    right: true,
    cell: (row) => (
      <>
        <PendingChanges pending={pending} row={row} types={frozenSigns} />
        <Money value={row.frozen} />
      </>
    ),
  },
  { title: '合计', right: true, cell: ({ total }) => <Money value={total} /> },
  { title: '估值(USDT)', right: true, cell: ({ valuation }) => <Money value={valuation} digits={2} shortened /> },
];

/** The sign with which each adjustment changes the available and the frozen balance. */
const activeSigns: Readonly<Record<string, 1 | -1>> = { 'asset.active.add': 1, 'asset.active.sub': -1 };
const frozenSigns: Readonly<Record<string, 1 | -1>> = { 'asset.frozen.add': 1, 'asset.frozen.sub': -1 };

interface PendingProps {
  pending: readonly ApprovalOpen[];
  row: Pick<AssetRow, 'marketId' | 'platform'>;
  types: Readonly<Record<string, 1 | -1>>;
}

/** Adjustments of a balance that wait for a second person: `+15,000 待复核`. */
function PendingChanges({ pending, row, types }: PendingProps) {
  return pending.map(({ id, type, asset }) => {
    const sign = types[type];
    if (!asset || !sign || asset.marketId !== row.marketId || asset.platform !== row.platform) return null;
    return (
      <span key={id} className="ht-user-pending">
        <PageLink to={`/approval?open=${id}`}>
          <Money value={sign === 1 ? asset.amount : negate(asset.amount)} showPlus /> 待复核
        </PageLink>
      </span>
    );
  });
}

/** The assets with an empty row for each account that only a pending adjustment names. */
function withPendingAccounts(assets: readonly AssetRow[], pending: readonly ApprovalOpen[]): readonly AssetRow[] {
  const missing = pending.flatMap(({ asset }) =>
    asset && !assets.some(({ marketId, platform }) => marketId === asset.marketId && platform === asset.platform)
      ? [{ ...asset, active: '0', frozen: '0', total: '0', valuation: '0' }]
      : [],
  );
  return [...assets, ...missing];
}

const NO_APPROVALS: readonly ApprovalOpen[] = [];

/** Balances of a user by account type, now or at a past time. */
export function AssetsPart({ detail, at, onAt, renderAssetActions }: Props) {
  const [platform, setPlatform] = useState(ALL);
  const { row } = detail;
  const isPast = at !== undefined;
  const pastBalances = useRead(user.balance, isPast ? { id: row.id, at } : undefined, { staleTime: Infinity });
  const open = useRead(
    approval.open,
    { targetType: 'user', ids: [row.id] },
    { enabled: !isPast, refetchMs: PENDING_MS },
  );
  const pending = isPast ? NO_APPROVALS : (open.data ?? NO_APPROVALS);
  const assets = isPast ? pastBalances.data : withPendingAccounts(detail.assets, pending);
  const displayedPlatforms = PLATFORMS.filter((p) => platform === ALL || platform === p);
  // Past balances cannot be adjusted.
  const actions = isPast ? undefined : renderAssetActions;

  return (
    <>
      <div className="ht-user-bar">
        <Segmented aria-label="账户类型" options={CHOICES} value={platform} onChange={(value) => setPlatform(value)} />
        <span className="ht-lists-gap" />
        {actions?.(row)}
        <MomentPicker value={at} onChange={onAt} />
      </div>
      {isPast && <PastNote at={at} onNow={() => onAt(undefined)} />}
      {isPast && pastBalances.error && !pastBalances.data ? (
        <ErrorState error={toDisplayError(pastBalances.error)} onRetry={() => void pastBalances.refetch()} />
      ) : assets ? (
        <div className="ht-user-assets" data-past={isPast}>
          <p className="ht-user-total">
            <span>{isPast ? '当时总估值' : '总估值'}</span>
            <Money value={totalValuation(assets)} unit="USDT" digits={2} shortened />
          </p>
          {displayedPlatforms.map((p) => (
            <Account
              key={p}
              platform={p}
              rows={assets.filter((asset) => asset.platform === p)}
              pending={pending}
              actions={actions && ((asset) => actions(row, asset))}
            />
          ))}
        </div>
      ) : (
        <span className="ht-page-skeleton-line ht-lists-part-line" role="status" aria-label="加载中" />
      )}
    </>
  );
}

interface AccountProps {
  platform: Platform;
  pending: readonly ApprovalOpen[];
  rows: readonly AssetRow[];
  actions: ((asset: AssetRow) => ReactNode) | undefined;
}

function Account({ platform, rows, pending, actions }: AccountProps) {
  const columns = assetColumns(pending);
  return (
    <Section
      title={platformLabels[platform]}
      aside={
        <>
          估值 <Money value={totalValuation(rows)} unit="USDT" digits={2} shortened />
        </>
      }
    >
      <MiniTable
        label={platformLabels[platform]}
        rows={rows}
        keyOf={({ marketId }) => marketId}
        empty="没有资产"
        columns={actions ? [...columns, { title: '操作', right: true, cell: actions }] : columns}
      />
    </Section>
  );
}

/** The total valuation in USDT as a decimal string; null if any row has none. */
function totalValuation(rows: readonly AssetRow[]): string | null {
  const valuations = rows.flatMap(({ valuation }) => (valuation === null ? [] : [valuation]));
  return valuations.length === rows.length ? sum(valuations) : null;
}
