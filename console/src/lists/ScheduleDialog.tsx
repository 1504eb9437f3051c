import { exportFormats, type ExportFormat } from '@hengtai/contract/desk/export/calls';
import { SCHEDULE_NAME_MAX } from '@hengtai/contract/wire/input-values';
import { PERIOD, RANGE, periodLabels, rangeLabels, schedule } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleAdd, ScheduleRow } from '@hengtai/contract/desk/schedule/schema';
import { Input, Radio, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { settle } from '../api/display-error.ts';
import { newKey, useAction } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { toast } from '../api/toast.ts';
import { SaveForm, SaveModal } from '../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../ui/value/display-error.ts';
import { HOURS, MONTH_DAYS, WEEKDAYS } from './schedule-words.ts';

type Settings = Pick<ScheduleRow, 'name' | 'format' | 'period' | 'day' | 'hour' | 'range' | 'enabled'>;

interface Props {
  /** What a new schedule exports, or the schedule to edit. */
  of: Pick<ScheduleAdd, 'list' | 'query' | 'columns'> | ScheduleRow;
  onClose: () => void;
}

const settingsOf = ({ name, format, period, day, hour, range, enabled }: ScheduleRow): Settings => ({
  name,
  format,
  period,
  day,
  hour,
  range,
  enabled,
});
const NEW: Settings = {
  name: '',
  format: 'xlsx',
  period: PERIOD.daily,
  day: 1,
  hour: 9,
  range: RANGE.period,
  enabled: 1,
};

/** 定时导出: saves the list as it is on the screen as an export that repeats, or edits one. */
export function ScheduleDialog({ of, onClose }: Props) {
  const row = 'id' in of ? of : undefined;
  const [input, setInput] = useState(row ? settingsOf(row) : NEW);
  const [key, setKey] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  const add = useAction(schedule.add);
  const save = useAction(schedule.save);
  const isPending = add.pending || save.pending;

  /** A changed input is a new request and needs a new idempotency key. */
  function change(part: Partial<Settings>) {
    setInput({ ...input, ...part });
    setKey(newKey());
    setError(undefined);
  }

  async function submit() {
    if (isPending) return;
    const { enabled, ...settings } = { ...input, name: input.name.trim() };
    const failure = await settle(async () => {
      if ('id' in of) await save.submit({ id: of.id, ...settings, enabled }, key);
      else await add.submit({ ...of, ...settings }, key);
    });
    setError(failure);
    if (failure) return;
    toast.success(row ? '定时导出已保存' : '定时导出已创建，可在「通知渠道与定时导出」查看');
    onClose();
  }

  return (
    <SaveModal
      title={row ? `编辑定时导出：${row.name}` : '定时导出'}
      width={520}
      verb="保存"
      busy={isPending}
      error={error}
      onSave={() => void submit()}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={() => void submit()}>
        <ScheduleFields input={input} isNew={!row} onChange={change} />
      </SaveForm>
    </SaveModal>
  );
}

interface FieldsProps {
  input: Settings;
  isNew: boolean;
  onChange: (part: Partial<Settings>) => void;
}

const toOptions = (labels: Readonly<Record<number, string>>): { value: number; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }));

function ScheduleFields({ input, isNew, onChange }: FieldsProps) {
  const id = useId();
  const { zone } = useMe();
  const { name, format, period, day, hour, range, enabled } = input;
  return (
    <>
      <label htmlFor={`${id}name`}>名称</label>
      <Input
        id={`${id}name`}
        value={name}
        maxLength={SCHEDULE_NAME_MAX}
        showCount
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <span id={`${id}period`}>周期</span>
      <Radio.Group
        aria-labelledby={`${id}period`}
        value={period}
        onChange={({ target }) => onChange({ period: target.value as Settings['period'], day: 1 })}
        options={toOptions(periodLabels)}
      />
      <span>时间</span>
      <div>
        {period !== PERIOD.daily && (
          <Select
            aria-label="执行日"
            value={day}
            options={period === PERIOD.weekly ? WEEKDAYS : MONTH_DAYS}
            onChange={(next) => onChange({ day: next })}
          />
        )}{' '}
        <Select aria-label="小时" value={hour} options={HOURS} onChange={(next) => onChange({ hour: next })} />
        <p className="ht-dialog-form-hint">按报表时区 {zone}；服务中断期间错过的只补最近一次。</p>
      </div>
      <label htmlFor={`${id}range`}>日期范围</label>
      <Select
        id={`${id}range`}
        value={range}
        options={toOptions(rangeLabels)}
        onChange={(next: number) => onChange({ range: next === RANGE.period ? RANGE.period : RANGE.query })}
      />
      <span id={`${id}format`}>格式</span>
      <Radio.Group
        aria-labelledby={`${id}format`}
        value={format}
        onChange={({ target }) => onChange({ format: target.value as ExportFormat })}
        options={Object.entries(exportFormats).map(([value, label]) => ({ value, label }))}
      />
      {isNew ? (
        <p className="ht-dialog-form-hint ht-dialog-form-wide">
          导出当前的筛选、排序和列。执行时按您当时的权限和数据范围；文件在「导出任务」中下载，完成后按通知渠道提醒。
        </p>
      ) : (
        <>
          <label htmlFor={`${id}enabled`}>启用</label>
          <div>
            <Switch id={`${id}enabled`} checked={enabled === 1} onChange={(on) => onChange({ enabled: on ? 1 : 0 })} />
          </div>
        </>
      )}
    </>
  );
}
