import './user.css';
import { ABILITY } from '@hengtai/contract/ability';
import { assetActions } from '@hengtai/contract/asset';
import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Suspense, lazy, useMemo, useState } from 'react';
import { prefetchList, useList } from '../../api/list.ts';
import { useCan } from '../../api/me.ts';
import { useTabGuard } from '../../shell/page-route.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { useBulkAction } from '../../shell/use-bulk-action.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import type { AssetDialogProps } from './AssetDialog.tsx';
import { RowActions } from './RowActions.tsx';
import { ASSET_ACTIONS, NO_ASSET_ABILITY } from './asset-words.ts';
import { userColumns } from './columns.tsx';
import { useTurn } from './actions.ts';
import { PARTS, useProfile } from './use-profile.ts';
import { NO_ABILITY, type UserAction } from './words.ts';

prefetchList(user.list, '/user');

const AddUserDialog = lazy(async () => ({ default: (await import('./AddUserDialog.tsx')).AddUserDialog }));
const AssetDialog = lazy(async () => ({ default: (await import('./AssetDialog.tsx')).AssetDialog }));
const UserDialog = lazy(async () => ({ default: (await import('./UserDialog.tsx')).UserDialog }));
const UserDrawer = lazy(async () => ({ default: (await import('./UserDrawer.tsx')).UserDrawer }));
const UserBulkDialog = lazy(async () => ({ default: (await import('./UserBulkDialog.tsx')).UserBulkDialog }));

const BULK_LABELS = { enable: '启用', disable: '冻结', agent: '更换代理' } as const;
type BulkName = keyof typeof BULK_LABELS;
const BULK_NAMES = Object.keys(BULK_LABELS) as BulkName[];

const SHORTCUTS = [
  { keys: [`1…${PARTS.length}`], what: '切换详情的各部分（详情打开时）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

/** 用户列表: the list with its switches, everything that can be done to a user, and the whole of one user. */
export function UserPage() {
  const why = useCan(ABILITY.users) ? undefined : NO_ABILITY;
  const assetWhy = useCan(ABILITY.assets) ? undefined : NO_ASSET_ABILITY;
  const list = useList(user.list);
  const profile = useProfile();
  const { openId } = profile;
  const turn = useTurn();
  const columns = useMemo(() => userColumns(why, turn), [why, turn]);
  const [adding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<{ action: UserAction; row: UserRow }>();
  const [adjust, setAdjust] = useState<Omit<AssetDialogProps, 'onClose'>>();
  const many = useBulkAction<UserRow, BulkName>(list, (one) => `批量${BULK_LABELS[one]}`);
  const [drafts, setDrafts] = useState<Readonly<Record<number, string>>>({});
  useTabGuard(Object.values(drafts).some((text) => text.trim() !== ''));

  return (
    <WaitingMarks targetType="user" ids={[...list.rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="用户列表"
        tools={
          <GreyedAction look="button" why={why} onClick={() => setAdding(true)}>
            新增用户
          </GreyedAction>
        }
        list={list}
        columns={columns}
        openId={openId}
        onOpen={(row) => profile.open(row.id)}
        shortcuts={SHORTCUTS}
        next="用户注册或由此处新增后会出现在这里。"
        actions={{
          width: 132,
          render: (row) => (
            <RowActions
              row={row}
              why={why}
              onOpen={() => profile.open(row.id, 'profile')}
              onAssets={() => profile.open(row.id, 'assets')}
              onAction={(one) => setDialog({ action: one, row })}
            />
          ),
        }}
        aside={<span className="ht-faint">勾选用户可以批量启用、冻结、更换代理</span>}
        bulk={(rows) =>
          BULK_NAMES.map((one) => (
            <GreyedAction
              key={one}
              look="button"
              danger={one === 'disable'}
              why={why}
              onClick={() => many.ask(one, rows)}
            >
              批量{BULK_LABELS[one]}
            </GreyedAction>
          ))
        }
      >
        <Suspense fallback={null}>
          {openId !== undefined && (
            <UserDrawer
              id={openId}
              part={profile.part}
              at={profile.at}
              onPart={profile.setPart}
              onAt={profile.setAt}
              onAction={(one, row) => setDialog({ action: one, row })}
              turn={turn}
              draft={drafts[openId] ?? ''}
              onDraft={(text) => setDrafts((now) => ({ ...now, [openId]: text }))}
              renderAssetActions={(row, asset) =>
                asset ? (
                  <span className="as-row-actions">
                    {ASSET_ACTIONS.map((action) => (
                      <GreyedAction
                        key={action}
                        why={assetWhy}
                        danger={action === 2}
                        onClick={() => setAdjust({ user: row, asset, action })}
                      >
                        {assetActions[action]}
                      </GreyedAction>
                    ))}
                  </span>
                ) : (
                  <GreyedAction look="button" why={assetWhy} onClick={() => setAdjust({ user: row })}>
                    调整资产
                  </GreyedAction>
                )
              }
              onClose={profile.close}
            />
          )}
        </Suspense>
        <Suspense fallback={null}>
          {adjust && <AssetDialog {...adjust} onClose={() => setAdjust(undefined)} />}
        </Suspense>
        <Suspense fallback={null}>
          {adding && <AddUserDialog onClose={() => setAdding(false)} />}
          {dialog && (
            <UserDialog
              {...dialog}
              onClose={() => setDialog(undefined)}
              onRemoved={(id) => id === openId && profile.close()}
            />
          )}
          {many.request && (
            <UserBulkDialog
              many={many.request.action}
              rows={many.request.rows}
              onClose={many.onClose}
              onDone={many.onDone}
            />
          )}
        </Suspense>
        {many.results}
      </ListFrame>
    </WaitingMarks>
  );
}
