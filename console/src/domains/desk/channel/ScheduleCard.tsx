import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { EXPORT, exportFormats, exportStates } from '@hengtai/contract/desk/export/calls';
import { schedule } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleRow } from '@hengtai/contract/desk/schedule/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ScheduleDialog } from '../../../lists/ScheduleDialog.tsx';
import { showExports } from '../../../lists/export-jobs.ts';
import { timingText } from '../../../lists/schedule-words.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';

/** The operator's scheduled exports, with their next slot and the result of the last one. */
export function ScheduleCard() {
  const hasAbility = useCan(ABILITY.export);
  const { data, error, refetch } = useRead(schedule.list, {}, { enabled: hasAbility });
  const [edited, setEdited] = useState<ScheduleRow>();
  return (
    <Section
      title="定时导出"
      aside="在列表或报表的「导出」菜单中新建"
      more={
        hasAbility && (
          <Button type="link" size="small" onClick={showExports}>
            导出任务
          </Button>
        )
      }
    >
      {!hasAbility ? (
        <p className="ht-page-empty">没有「{abilityLabels[ABILITY.export]}」权限，不能使用定时导出。</p>
      ) : error && !data ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <Schedules rows={data} onEdit={setEdited} />
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
      {edited && <ScheduleDialog of={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  );
}

function Schedules({ rows, onEdit }: { rows: readonly ScheduleRow[]; onEdit: (row: ScheduleRow) => void }) {
  if (rows.length === 0) {
    return (
      <p className="ht-page-empty">
        没有定时导出。打开任一列表或报表，设好筛选和列，在「导出」菜单中选择「定时导出…」。
      </p>
    );
  }
  return (
    <PageTable label="定时导出" titles={['名称', '内容', '时间', '最近一次', '操作']}>
      {rows.map((row) => (
        <Schedule key={row.id} row={row} onEdit={() => onEdit(row)} />
      ))}
    </PageTable>
  );
}

function Schedule({ row, onEdit }: { row: ScheduleRow; onEdit: () => void }) {
  const del = useAction(schedule.del);
  const { id, name, title, format, nextAt, lastAt } = row;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {title}
        <span className="ht-table-page-note">{exportFormats[format]}</span>
      </td>
      <td>
        {timingText(row)}
        <span className="ht-table-page-note">{nextAt === null ? '已停用' : <NextRun at={nextAt} />}</span>
      </td>
      <td>
        <LastRun row={row} />
        {lastAt !== null && (
          <span className="ht-table-page-note">
            <Time value={lastAt} short />
          </span>
        )}
      </td>
      <td>
        <GreyedAction disabledReason={undefined} onClick={onEdit}>
          编辑
        </GreyedAction>
        <ConfirmableAction
          disabledReason={undefined}
          question={`删除定时导出「${name}」？已生成的文件不受影响`}
          onYes={() => runWithErrorToast(() => del.submit({ id }, newKey()), '定时导出已删除')}
        >
          删除
        </ConfirmableAction>
      </td>
    </tr>
  );
}

const NextRun = ({ at }: { at: number }) => (
  <>
    下次 <Time value={at} short />
  </>
);

function LastRun({ row: { lastAt, jobState, reason } }: { row: ScheduleRow }) {
  if (lastAt === null) return '尚未执行';
  if (reason !== '') {
    return (
      <span className="ht-channel-state" data-tone="bad">
        未执行：{reason}
      </span>
    );
  }
  if (jobState === null) return '任务已删除';
  const tone = jobState === EXPORT.done ? 'good' : jobState === EXPORT.failed ? 'bad' : 'idle';
  return (
    <span className="ht-channel-state" data-tone={tone}>
      {exportStates[jobState as keyof typeof exportStates]}
    </span>
  );
}
