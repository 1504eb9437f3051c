import { config, valueAfter, valueBefore } from '@hengtai/contract/desk/config/calls';
import type { ConfigHistoryRow, ConfigRow } from '@hengtai/contract/desk/config/schema';
import { type ReactNode, useState } from 'react';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { useRead } from '../../../api/hooks.ts';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { RestoreDialog } from './RestoreDialog.tsx';
import { SettingsSkeleton } from './SettingsSkeleton.tsx';
import { LastChange } from './LastChange.tsx';
import { ADMIN_ONLY, boundsOf, nameOf, textOf } from './value.ts';
import { InternalName } from '../../../records/InternalName.tsx';

const HISTORY_SIZE = 50;

interface Props {
  row: ConfigRow;
  onEdit: () => void;
  onClose: () => void;
}

/** One setting with its history, from which each earlier value can be restored. */
export function SettingDrawer({ row, onEdit, onClose }: Props) {
  const query = useRead(config.history, { id: row.id, size: HISTORY_SIZE });
  const { data } = query;
  const [restoring, setRestoring] = useState<{ change: ConfigHistoryRow; value: 'after' | 'before' }>();
  const disabledReason = row.editable === 1 ? undefined : ADMIN_ONLY;
  const bounds = boundsOf(row);
  return (
    <PageDrawer
      open
      width={640}
      title={nameOf(row)}
      footer={
        <GreyedAction look="button" disabledReason={disabledReason} onClick={onEdit}>
          编辑
        </GreyedAction>
      }
      onClose={onClose}
    >
      <dl className="ht-value-details ht-config-facts">
        <DetailItem label="当前值" wide>
          <b className="ht-config-now">{textOf(row)}</b>
        </DetailItem>
        <DetailItem label="设置项">
          {nameOf(row)} <InternalName name={row.key} />
        </DetailItem>
        <DetailItem label="取值范围">{bounds || '--'}</DetailItem>
        <DetailItem label="最近修改">
          <LastChange row={row} />
        </DetailItem>
        {row.loosenedAt !== null && <TimeItem label="最近放宽" wide value={row.loosenedAt} />}
        <DetailItem label="说明" wide>
          {row.remark}
        </DetailItem>
      </dl>
      <Section
        title="变更记录"
        aside={data && `共 ${data.total} 次`}
        more={<PageLink to={`/config/history?id=${row.id}`}>全部记录</PageLink>}
      >
        {data ? (
          <History
            list={data.list}
            isComplete={data.total <= HISTORY_SIZE}
            disabledReason={disabledReason}
            row={row}
            onRestore={setRestoring}
          />
        ) : (
          <QueryPlace query={query} isSmall>
            <SettingsSkeleton lines={4} />
          </QueryPlace>
        )}
      </Section>
      {restoring && <RestoreDialog {...restoring} current={row} onClose={() => setRestoring(undefined)} />}
    </PageDrawer>
  );
}

interface HistoryProps {
  row: ConfigRow;
  list: readonly ConfigHistoryRow[];
  /** True if `list` contains the first change. The value before that change is the installed one. */
  isComplete: boolean;
  disabledReason: string | undefined;
  onRestore: (restoring: { change: ConfigHistoryRow; value: 'after' | 'before' }) => void;
}

function History({ row, list, isComplete, disabledReason, onRestore }: HistoryProps) {
  const first = list.at(-1);
  if (!first) return <p className="ht-value-faint">安装以来没有修改过。</p>;
  return (
    <ol className="ht-config-values" aria-label="历次取值">
      {list.map((change, index) => (
        <PastValue key={change.id} text={textOf({ ...change, ...valueAfter(change) })} current={index === 0}>
          <p>
            {operatorDetail(change.by)} · <Time value={change.createdAt} />
            {change.restoredId !== null && ` · 恢复自变更 #${change.restoredId}`}
          </p>
          {change.reason !== '' && <p>原因：{change.reason}</p>}
          {index > 0 && (
            <GreyedAction
              disabledReason={disabledReason ?? restoreDisabledReasonOf(row, change)}
              onClick={() => onRestore({ change, value: 'after' })}
            >
              恢复此值
            </GreyedAction>
          )}
        </PastValue>
      ))}
      {isComplete && (
        <PastValue text={textOf({ ...first, ...valueBefore(first) })} current={false}>
          <p>安装时的值</p>
          <GreyedAction disabledReason={disabledReason} onClick={() => onRestore({ change: first, value: 'before' })}>
            恢复此值
          </GreyedAction>
        </PastValue>
      )}
    </ol>
  );
}

const restoreDisabledReasonOf = (row: ConfigRow, change: ConfigHistoryRow): string | undefined =>
  textOf(row) === textOf({ ...change, ...valueAfter(change) }) ? '与当前值相同' : undefined;

function PastValue({ text, current, children }: { text: string; current: boolean; children: ReactNode }) {
  return (
    <li data-current={current}>
      <b>
        {text}
        {current && <span className="ht-config-current">当前</span>}
      </b>
      {children}
    </li>
  );
}
