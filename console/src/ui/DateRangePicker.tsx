import 'dayjs/locale/zh-cn';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { memo } from 'react';
import { usePopup } from './page-visibility.ts';
import {
  type Day,
  type Range,
  dayOf,
  dayText,
  endOfDay,
  presetNames,
  presetRange,
  startOfDay,
  useZone,
} from './zone.ts';

export interface DateRangeProps {
  value: Range | undefined;
  onChange: (range: Range | undefined) => void;
  label: string;
  /** What stands where no day is chosen. */
  ends: [from: string, to: string];
}

const picked = (date: Dayjs): Day => ({ year: date.year(), month: date.month() + 1, day: date.date() });

/** Whole days in the operator's zone, the last one inclusive. The picker itself knows calendar days only. */
export const DateRangePicker = memo(({ value, onChange, label, ends }: DateRangeProps) => {
  const zone = useZone();
  const [open, setOpen] = usePopup();
  const shown = value && ([value.from, value.to].map((ms) => dayjs(dayText(dayOf(ms, zone)))) as [Dayjs, Dayjs]);
  return (
    <DatePicker.RangePicker
      className="ht-filter ht-filter-range"
      prefix={<span className="ht-prefix">{label}</span>}
      aria-label={label}
      value={shown ?? null}
      open={open}
      onOpenChange={setOpen}
      placeholder={ends}
      presets={presetNames.map((name) => ({
        label: name,
        value: () => daysOf(presetRange(name, Date.now(), zone), zone),
      }))}
      onChange={(days) => {
        const [first, last] = days ?? [];
        onChange(
          first && last ? { from: startOfDay(picked(first), zone), to: endOfDay(picked(last), zone) } : undefined,
        );
      }}
    />
  );
});

const daysOf = ({ from, to }: Range, zone: string): [Dayjs, Dayjs] => [
  dayjs(dayText(dayOf(from, zone))),
  dayjs(dayText(dayOf(to, zone))),
];
