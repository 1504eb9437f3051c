import './config.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { config, findSettings, isPolicy } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { Input } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useCan, useFourEyesLocked, useMe } from '../../../api/me.ts';
import { useOpenId } from '../../../lists/open-id.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { clearButton } from '../../../ui/form/clear-button.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { LastChange } from './LastChange.tsx';
import { GoLive } from './GoLive.tsx';
import { SingleApproverNotice } from './SingleApproverNotice.tsx';
import { SettingDialog } from './SettingDialog.tsx';
import { useHistoryDisabledReason } from './use-overseer.ts';
import { groupsOf, zeroMeaningOf } from './policy-words.ts';
import { ADMIN_ONLY, boundsOf, nameOf, textOf } from './value.ts';

const SettingDrawer = onDemand(async () => (await import('./SettingDrawer.tsx')).SettingDrawer);
const DiffDrawer = onDemand(async () => (await import('./DiffDrawer.tsx')).DiffDrawer);

/** 系统设置: all settings by group, with their current value and last change. */
export function ConfigPage() {
  const hasAbility = useCan(ABILITY.platform);
  const { top } = useMe();
  const { data, error, refetch } = useRead(config.list, {}, { enabled: hasAbility });
  const [clicked, setEditing] = useState<ConfigRow>();
  const [isComparing, setComparing] = useState(false);
  const { openId, open, close } = useOpenId();
  const { open: go, search, setSearch } = usePageRoute();
  const disabledReason = useHistoryDisabledReason();
  // A link to one setting opens its dialog.
  const linked = search.get('edit');
  const find = search.get('find') ?? '';
  const setFind = (text: string) =>
    setSearch(
      (query) => {
        if (text === '') query.delete('find');
        else query.set('find', text);
        return query;
      },
      { replace: true },
    );
  const editing = clicked ?? data?.find(({ key, editable }) => key === linked && editable === 1);

  if (!hasAbility) return <p className="ht-table-message">需要「平台设置」权限才能查看系统设置。</p>;
  if (!data && error) return <PageError error={error} onRetry={() => void refetch()} />;
  const openRow = disabledReason === undefined && !isComparing ? data?.find(({ id }) => id === openId) : undefined;
  const found = new Set(findSettings(data ?? [], find));
  const openHistory = (row: ConfigRow) => {
    setComparing(false);
    open(row.id);
  };
  return (
    <div className="ht-config-page">
      <PageHeading title="系统设置" note="每次修改都会记入变更记录和审计日志">
        <Input
          className="ht-config-find"
          allowClear={clearButton}
          aria-label="查找设置"
          placeholder="查找设置"
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => setComparing(true)}>
          对比
        </GreyedAction>
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => go('/config/history')}>
          变更记录
        </GreyedAction>
        <GreyedAction look="button" onClick={() => go('/config/signing')}>
          签名打款
        </GreyedAction>
        <GreyedAction
          look="button"
          disabledReason={top ? undefined : ADMIN_ONLY}
          onClick={() => go('/config/gateway-key')}
        >
          网关密钥
        </GreyedAction>
      </PageHeading>
      {find === '' && <GoLive live={0} />}
      {data ? (
        groupsOf(data).map((rows) => (
          <Group
            key={rows[0]?.group}
            rows={rows}
            found={found}
            disabledReason={disabledReason}
            onEdit={setEditing}
            onRead={openHistory}
          />
        ))
      ) : (
        <PageSkeleton shape="settings" />
      )}
      {find === '' && <GoLive live={1} />}
      {data && found.size === 0 && <p className="ht-table-message">没有符合「{find}」的设置。</p>}
      {openRow && <SettingDrawer key={openRow.id} row={openRow} onEdit={() => setEditing(openRow)} onClose={close} />}
      {isComparing && <DiffDrawer onClose={() => setComparing(false)} />}
      {editing && (
        <SettingDialog
          row={editing}
          now={data?.find(({ id }) => id === editing.id) ?? editing}
          onClose={() => {
            setEditing(undefined);
            if (linked !== null)
              setSearch((query) => {
                query.delete('edit');
                return query;
              });
          }}
        />
      )}
    </div>
  );
}

interface GroupProps {
  rows: readonly ConfigRow[];
  /** The settings to show. */
  found: ReadonlySet<ConfigRow>;
  /** The reason why the history is not available; undefined if it is. */
  disabledReason: string | undefined;
  onEdit: (row: ConfigRow) => void;
  onRead: (row: ConfigRow) => void;
}

function Group({ rows, found, disabledReason, onEdit, onRead }: GroupProps) {
  const [first] = rows;
  const shown = rows.filter((row) => found.has(row));
  if (!first || shown.length === 0) return null;
  return (
    <Section title={first.group} aside={isPolicy(first) && '由另一位复核员确认后才执行；仅顶级管理员可修改'}>
      {isPolicy(first) && <LockedHint />}
      {isPolicy(first) && <SingleApproverNotice />}
      <PageTable label={first.group} titles={['设置', '当前值', '说明', '最近修改', '操作']}>
        {shown.map((row) => (
          <tr key={row.id} data-key={row.key} data-limit={isLimit(row, first)}>
            <th scope="row">{isLimit(row, first) ? nameOf(row).split('：')[0] : nameOf(row)}</th>
            <td className="ht-config-value">{textOf(row)}</td>
            <td className="ht-config-remark">
              {row.remark}
              {!isPolicy(row) && !isLimit(row, first) && boundsOf(row) && <span>（{boundsOf(row)}）</span>}
            </td>
            <td>
              <LastChange row={row} />
              {row.loosenedAt !== null && (
                <span className="ht-table-page-note">
                  放宽于 <Time value={row.loosenedAt} />
                </span>
              )}
            </td>
            <td>
              <GreyedAction disabledReason={row.editable === 1 ? undefined : ADMIN_ONLY} onClick={() => onEdit(row)}>
                编辑
              </GreyedAction>
              <GreyedAction disabledReason={disabledReason} onClick={() => onRead(row)}>
                历史
              </GreyedAction>
            </td>
          </tr>
        ))}
      </PageTable>
    </Section>
  );
}

/** True for a limit in the group of its policy, which needs neither the policy name nor bounds. */
const isLimit = (row: ConfigRow, first: ConfigRow): boolean => isPolicy(first) && zeroMeaningOf(row.key) !== undefined;

function LockedHint() {
  if (!useFourEyesLocked()) return null;
  return (
    <p className="ht-config-note">
      四眼已锁定：放宽任何一项都须另一位复核员确认，收紧立即生效；复核员须已生效、已启用验证码，且不是由提交人单方设立或重置的账号。
    </p>
  );
}
