import './user.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { assetActions } from '@hengtai/contract/funds/asset/facts';
import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { useMemo, useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { useBulkAction } from '../../../actions/use-bulk-action.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import type { AssetDialogProps } from './AssetDialog.tsx';
import { RowActions } from './RowActions.tsx';
import { ASSET_ACTIONS, assetDisabledReason, NO_ASSET_ABILITY } from './asset-words.ts';
import { userColumns } from './columns.tsx';
import { useToggleSwitch } from './actions.ts';
import { PARTS, useUserRoute } from './use-user-route.ts';
import { NO_ABILITY, type UserAction } from './words.ts';

prefetchList(user.list, '/user');

const AddUserDialog = dialogOnDemand(async () => (await import('./AddUserDialog.tsx')).AddUserDialog);
const AssetDialog = dialogOnDemand(async () => (await import('./AssetDialog.tsx')).AssetDialog);
const UserDialog = dialogOnDemand(async () => (await import('./UserDialog.tsx')).UserDialog);
const UserDrawer = onDemand(async () => (await import('./UserDrawer.tsx')).UserDrawer);
const UserBulkDialog = dialogOnDemand(async () => (await import('./UserBulkDialog.tsx')).UserBulkDialog);

const BULK_LABELS = { enable: '启用', disable: '冻结', agent: '更换代理', group: '调整用户组' } as const;
type BulkName = keyof typeof BULK_LABELS;
const BULK_NAMES = Object.keys(BULK_LABELS) as BulkName[];

const SHORTCUTS = [
  { keys: [`1…${PARTS.length}`], what: '切换详情的各部分（详情打开时）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

/** 用户列表: users with their switches and actions, and a drawer for one user. */
export function UserPage() {
  const disabledReason = useCan(ABILITY.users) ? undefined : NO_ABILITY;
  const assetsDisabledReason = useCan(ABILITY.assets) ? undefined : NO_ASSET_ABILITY;
  const list = useList(user.list);
  const route = useUserRoute();
  const { openId } = route;
  const toggleSwitch = useToggleSwitch();
  const columns = useMemo(() => userColumns(disabledReason, toggleSwitch), [disabledReason, toggleSwitch]);
  const [isAdding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<{ action: UserAction; row: UserRow }>();
  const [adjustment, setAdjustment] = useState<Omit<AssetDialogProps, 'onClose'>>();
  const bulk = useBulkAction<UserRow, BulkName>(list, (one) => `批量${BULK_LABELS[one]}`);
  const [drafts, setDrafts] = useState<Readonly<Record<number, string>>>({});
  useTabGuard(Object.values(drafts).some((text) => text.trim() !== ''));

  return (
    <ListFrame
      targetType="user"
      tools={
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => setAdding(true)}>
          新增用户
        </GreyedAction>
      }
      list={list}
      columns={columns}
      openId={openId}
      onOpen={(row) => route.open(row.id)}
      shortcuts={SHORTCUTS}
      emptyHint="用户在交易平台注册后自动出现，也可以点右上角「新增用户」。"
      actions={{
        width: 108,
        render: (row) => (
          <RowActions
            row={row}
            disabledReason={disabledReason}
            onOpen={() => route.open(row.id, 'profile')}
            onAssets={() => route.open(row.id, 'assets')}
            onAction={(one) => setDialog({ action: one, row })}
          />
        ),
      }}
      aside={<span className="ht-value-faint">勾选用户可以批量启用、冻结、更换代理、调整用户组</span>}
      bulk={(rows) =>
        BULK_NAMES.map((one) => (
          <GreyedAction
            key={one}
            look="button"
            danger={one === 'disable'}
            disabledReason={disabledReason}
            onClick={() => bulk.ask(one, rows)}
          >
            批量{BULK_LABELS[one]}
          </GreyedAction>
        ))
      }
    >
      {openId !== undefined && (
        <UserDrawer
          id={openId}
          part={route.part}
          at={route.at}
          onPart={route.setPart}
          onAt={route.setAt}
          onAction={(one, row) => setDialog({ action: one, row })}
          toggleSwitch={toggleSwitch}
          draft={drafts[openId] ?? ''}
          onDraft={(text) => setDrafts((now) => ({ ...now, [openId]: text }))}
          renderAssetActions={(row, asset) =>
            asset ? (
              <span className="ht-user-row-actions">
                {ASSET_ACTIONS.map((action) => (
                  <GreyedAction
                    key={action}
                    disabledReason={assetsDisabledReason ?? assetDisabledReason(action, asset)}
                    danger={action === 2}
                    onClick={() => setAdjustment({ user: row, asset, action })}
                  >
                    {assetActions[action]}
                  </GreyedAction>
                ))}
              </span>
            ) : (
              <GreyedAction
                look="button"
                disabledReason={assetsDisabledReason}
                onClick={() => setAdjustment({ user: row })}
              >
                调整资产
              </GreyedAction>
            )
          }
          onClose={route.close}
        />
      )}
      {adjustment && <AssetDialog {...adjustment} onClose={() => setAdjustment(undefined)} />}
      {isAdding && <AddUserDialog onClose={() => setAdding(false)} />}
      {dialog && (
        <UserDialog
          {...dialog}
          onClose={() => setDialog(undefined)}
          onRemoved={(id) => id === openId && route.close()}
        />
      )}
      {bulk.request && (
        <UserBulkDialog
          action={bulk.request.action}
          rows={bulk.request.rows}
          onClose={bulk.onClose}
          onDone={bulk.onDone}
        />
      )}
      {bulk.results}
    </ListFrame>
  );
}
