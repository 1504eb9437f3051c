import { ABILITY } from '@hengtai/contract/ability';
import { type AssetAction, assetActions } from '@hengtai/contract/asset';
import { type Platform, platformLabels } from '@hengtai/contract/money';
import { user, userAuthLabels, userStates } from '@hengtai/contract/user';
import type { AssetRow, UserRow } from '@hengtai/contract/user.schema';
import { Segmented } from 'antd';
import { Suspense, lazy, useMemo, useState } from 'react';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { useCan } from '../../api/me.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { sum } from '../../ui/decimal.ts';
import { FaultState } from '../../ui/list-states.tsx';
import type { AssetDialogProps } from './AssetDialog.tsx';
import { ASSET_ACTIONS, NO_ASSET_ABILITY } from './asset-words.ts';
import { userTones } from './columns.tsx';

const AssetDialog = lazy(async () => ({ default: (await import('./AssetDialog.tsx')).AssetDialog }));

interface Props {
  id: number | undefined;
  onClose: () => void;
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

type Deed = Pick<AssetDialogProps, 'asset' | 'action'>;

/** The columns of an account with what can be done to each coin of it. */
const columnsWith = (
  why: string | undefined,
  onAct: (asset: AssetRow, action: AssetAction) => void,
): MiniColumn<AssetRow>[] => [
  ...assetColumns,
  {
    title: '操作',
    right: true,
    cell: (row) => (
      <span className="as-row-actions">
        {ASSET_ACTIONS.map((action) => (
          <GreyedAction key={action} why={why} danger={action === 2} onClick={() => onAct(row, action)}>
            {assetActions[action]}
          </GreyedAction>
        ))}
      </span>
    ),
  },
];

/** What a user holds, by account type. */
export function AssetDrawer({ id, onClose }: Props) {
  const [platform, setPlatform] = useState(ALL);
  const enabled = id !== undefined;
  const who = useRead(user.list, { id: id ?? 0 }, { enabled });
  const assets = useRead(user.asset, { id: id ?? 0 }, { enabled });
  const row = who.data?.list.find((one) => one.id === id);
  const why = useCan(ABILITY.assets) ? undefined : NO_ASSET_ABILITY;
  const [deed, setDeed] = useState<Deed>();
  const columns = useMemo(() => columnsWith(why, (asset, action) => setDeed({ asset, action })), [why]);
  const shown = PLATFORMS.filter((p) => platform === ALL || platform === p);

  return (
    <Reader
      open={enabled}
      width={880}
      title={`用户资产${row ? ` · ${row.account}` : ''}`}
      extra={
        <GreyedAction look="button" why={why} onClick={() => setDeed({})}>
          调整资产
        </GreyedAction>
      }
      onClose={onClose}
    >
      {row && <Who row={row} />}
      <Segmented
        aria-label="账户类型"
        options={CHOICES}
        value={platform}
        onChange={(value) => setPlatform(value)}
        className="us-platforms"
      />
      {assets.error && !assets.data ? (
        <FaultState fault={faultOf(assets.error)} onRetry={() => void assets.refetch()} />
      ) : assets.data ? (
        shown.map((p) => (
          <Account key={p} platform={p} columns={columns} rows={assets.data.filter((asset) => asset.platform === p)} />
        ))
      ) : (
        <span className="ht-bone" />
      )}
      {deed && row && (
        <Suspense fallback={null}>
          <AssetDialog user={row} {...deed} onClose={() => setDeed(undefined)} />
        </Suspense>
      )}
    </Reader>
  );
}

function Who({ row }: { row: UserRow }) {
  const auth: Readonly<Record<number, string>> = userAuthLabels;
  return (
    <dl className="ht-facts us-who">
      <div>
        <dt>编号</dt>
        <dd>{row.id}</dd>
      </div>
      <div>
        <dt>状态</dt>
        <dd>
          <StateTag state={row.state} labels={userStates} tones={userTones} />
        </dd>
      </div>
      <div>
        <dt>代理</dt>
        <dd>{row.agent}</dd>
      </div>
      <div>
        <dt>认证</dt>
        <dd>{auth[row.auth]}</dd>
      </div>
    </dl>
  );
}

interface AccountProps {
  platform: Platform;
  rows: readonly AssetRow[];
  columns: readonly MiniColumn<AssetRow>[];
}

function Account({ platform, rows, columns }: AccountProps) {
  const valued = rows.map(({ valuation }) => valuation);
  const known = valued.filter((value) => value !== null);
  const amount = known.length === valued.length ? sum(known) : null;
  return (
    <Section
      title={platformLabels[platform]}
      aside={
        <>
          估值 <Money value={amount} unit="USDT" digits={2} rough />
        </>
      }
    >
      <MiniTable
        label={platformLabels[platform]}
        rows={rows}
        keyOf={({ marketId }) => marketId}
        none="没有资产"
        columns={columns}
      />
    </Section>
  );
}
