import './config.css';
import { ABILITY } from '@hengtai/contract/ability';
import { config } from '@hengtai/contract/config';
import type { ConfigRow } from '@hengtai/contract/config.schema';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useCan } from '../../api/me.ts';
import { PageFault } from '../../shell/PageFault.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { GoLive } from './GoLive.tsx';
import { LoneNotice } from './LoneNotice.tsx';
import { SettingDialog } from './SettingDialog.tsx';
import { boundsOf, isPolicy, textOf } from './value.ts';

const NOTHING = {};

/** 系统设置: every setting in its group, with what it is now and when it was last changed. */
export function ConfigPage() {
  const able = useCan(ABILITY.platform);
  const { data, error, refetch } = useRead(config.list, NOTHING, { enabled: able });
  const [open, setOpen] = useState<ConfigRow>();

  if (!able) return <p className="ht-notice">需要「平台设置」权限才能查看系统设置。</p>;
  if (!data && error) return <PageFault error={error} onRetry={() => void refetch()} />;
  return (
    <div className="config-page">
      <PageHeading title="系统设置" note="每次修改都会记入审计日志" />
      <GoLive live={0} />
      {data ? groupsOf(data).map((rows) => <Group key={rows[0]?.group} rows={rows} onEdit={setOpen} />) : <Bones />}
      <GoLive live={1} />
      {open && <SettingDialog row={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function groupsOf(rows: readonly ConfigRow[]): ConfigRow[][] {
  const groups = new Map<string, ConfigRow[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return [...groups.values()];
}

function Group({ rows, onEdit }: { rows: readonly ConfigRow[]; onEdit: (row: ConfigRow) => void }) {
  const [first] = rows;
  if (!first) return null;
  return (
    <Section title={first.group} aside={isPolicy(first) && '由另一位复核员确认后才执行；仅顶级管理员可修改'}>
      {isPolicy(first) && <LoneNotice />}
      <table className="config-table" aria-label={first.group}>
        <thead>
          <tr>
            <th scope="col">设置</th>
            <th scope="col">当前值</th>
            <th scope="col">说明</th>
            <th scope="col">最近修改</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-key={row.key}>
              <th scope="row">{row.name}</th>
              <td className="config-value">{textOf(row)}</td>
              <td className="config-remark">
                {isPolicy(row) ? '' : row.remark}
                {!isPolicy(row) && boundsOf(row) && <span>（{boundsOf(row)}）</span>}
              </td>
              <td>
                <Time value={row.updatedAt} />
              </td>
              <td>
                <GreyedAction why={row.editable === 1 ? undefined : '仅顶级管理员可修改'} onClick={() => onEdit(row)}>
                  编辑
                </GreyedAction>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Bones() {
  return (
    <div className="config-bones" aria-busy="true" aria-label="正在读取">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <i key={line} className="ht-bone" />
      ))}
    </div>
  );
}
