import { config, isPolicy } from '@hengtai/contract/desk/config/calls';
import type { ConfigHistoryRow, ConfigRow } from '@hengtai/contract/desk/config/schema';
import { useMemo, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { RestoreDialog } from './RestoreDialog.tsx';
import { historyColumns } from './columns.tsx';
import { useHistoryDisabledReason } from './use-overseer.ts';
import { ADMIN_ONLY } from './value.ts';

/** 设置变更记录: all changes of settings with operator, values and reason. */
export function HistoryPage() {
  const disabledReason = useHistoryDisabledReason();
  return disabledReason === undefined ? (
    <HistoryList />
  ) : (
    <>
      <PageHeading title="设置变更记录" />
      <p className="ht-table-message">{disabledReason}设置变更记录。</p>
    </>
  );
}

function HistoryList() {
  const list = useList(config.history);
  const { data } = useRead(config.list, {});
  const [restoring, setRestoring] = useState<{ change: ConfigHistoryRow; setting: ConfigRow }>();
  const options = useMemo(
    () =>
      data && Object.fromEntries(data.map((row) => [row.id, isPolicy(row) ? `${row.group} · ${row.name}` : row.name])),
    [data],
  );
  const settingOf = (change: ConfigHistoryRow) => data?.find(({ id }) => id === change.configId);
  return (
    <ListFrame
      list={list}
      columns={historyColumns}
      options={{ id: options }}
      emptyHint="在「系统设置」中修改后，每一次都会记在这里。"
      actions={{
        width: 112,
        render: (change) => {
          const setting = settingOf(change);
          return (
            <GreyedAction
              disabledReason={setting?.editable === 1 ? undefined : ADMIN_ONLY}
              onClick={() => setting && setRestoring({ change, setting })}
            >
              恢复此值
            </GreyedAction>
          );
        },
      }}
    >
      {restoring && (
        <RestoreDialog
          change={restoring.change}
          value="after"
          current={settingOf(restoring.change) ?? restoring.setting}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </ListFrame>
  );
}
