import './filter-field.css';
import './date-range.css';
import 'dayjs/locale/zh-cn';
import { DatePicker, type GetRef } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { memo, useLayoutEffect, useRef } from 'react';
import { clearButton } from './clear-button.tsx';
import { usePopup } from '../browser/page-visibility.ts';
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
} from '../value/zone.ts';

export interface DateRangeProps {
  value: Range | undefined;
  onChange: (range: Range | undefined) => void;
  label: string;
  /** Placeholders of the two inputs. */
  ends: [from: string, to: string];
  /** The input that had the focus before the picker was loaded. */
  initialFocus?: RangeFocus;
}

export interface RangeFocus {
  index: number;
  /** It was clicked, so the calendar opens. */
  opens: boolean;
}

const toDay = (date: Dayjs): Day => ({ year: date.year(), month: date.month() + 1, day: date.date() });

/** Picks whole days in the operator's zone, last day inclusive. The underlying picker only knows calendar days. */
export const DateRangePicker = memo(({ value, onChange, label, ends, initialFocus }: DateRangeProps) => {
  const zone = useZone();
  const [open, setOpen] = usePopup();
  const picker = useRef<GetRef<typeof DatePicker.RangePicker>>(null);
  useLayoutEffect(() => {
    if (!initialFocus) return;
    picker.current?.nativeElement.querySelectorAll('input')[initialFocus.index]?.focus();
    setOpen(initialFocus.opens);
  }, [initialFocus, setOpen]);
  const days = value && ([value.from, value.to].map((ms) => dayjs(dayText(dayOf(ms, zone)))) as [Dayjs, Dayjs]);
  return (
    <DatePicker.RangePicker
      ref={picker}
      className={value ? 'ht-form-filter ht-form-range ht-form-range-chosen' : 'ht-form-filter ht-form-range'}
      prefix={<span className="ht-form-prefix">{label}</span>}
      aria-label={label}
      allowClear={clearButton}
      value={days ?? null}
      open={open}
      onOpenChange={setOpen}
      placeholder={ends}
      presets={presetNames.map((name) => ({
        label: name,
        value: () => daysOf(presetRange(name, Date.now(), zone), zone),
      }))}
      onChange={(picked) => {
        const [first, last] = picked ?? [];
        onChange(first && last ? { from: startOfDay(toDay(first), zone), to: endOfDay(toDay(last), zone) } : undefined);
      }}
    />
  );
});

const daysOf = ({ from, to }: Range, zone: string): [Dayjs, Dayjs] => [
  dayjs(dayText(dayOf(from, zone))),
  dayjs(dayText(dayOf(to, zone))),
];
