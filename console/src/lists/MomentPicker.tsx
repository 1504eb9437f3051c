import 'dayjs/locale/zh-cn';
import '../ui/form/filter-field.css';
import './moment-picker.css';
import { Button, DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useMe } from '../api/me.ts';
import { usePopup } from '../ui/browser/page-visibility.ts';
import { Time } from '../ui/value/Time.tsx';
import { addDays, dayOf, dayText, endOfDay, formatTime, momentOf, useZone } from '../ui/value/zone.ts';

interface Props {
  value: number | undefined;
  onChange: (at: number | undefined) => void;
}

const DAY_MS = 86_400_000;

/** Selects a past time in the operator's zone. The preset for yesterday uses the report zone. */
export function MomentPicker({ value, onChange }: Props) {
  const zone = useZone();
  const { zone: reportZone } = useMe();
  const [open, setOpen] = usePopup();
  const toPickerDate = (ms: number): Dayjs => dayjs(formatTime(ms, zone));
  const daysAgo = (days: number) => Date.now() - days * DAY_MS;

  return (
    <DatePicker
      className="ht-lists-moment"
      prefix={<span className="ht-form-prefix">截至时间</span>}
      aria-label="截至时间"
      placeholder="现在"
      showTime
      showNow={false}
      format="YYYY-MM-DD HH:mm:ss"
      value={value === undefined ? null : toPickerDate(value)}
      open={open}
      onOpenChange={setOpen}
      disabledDate={(date) => date.format('YYYY-MM-DD') > dayText(dayOf(Date.now(), zone))}
      presets={[
        {
          label: '昨日日终',
          value: () => toPickerDate(endOfDay(addDays(dayOf(Date.now(), reportZone), -1), reportZone)),
        },
        { label: '7天前', value: () => toPickerDate(daysAgo(7)) },
        { label: '30天前', value: () => toPickerDate(daysAgo(30)) },
      ]}
      onChange={(date: Dayjs | null) => onChange(date ? toPastMoment(date, zone) : undefined)}
    />
  );
}

/** The last millisecond of the selected second; undefined (now) if it is not in the past. */
function toPastMoment(date: Dayjs, zone: string): number | undefined {
  const day = { year: date.year(), month: date.month() + 1, day: date.date() };
  const second = momentOf(day, { hour: date.hour(), minute: date.minute(), second: date.second() }, zone);
  const at = second + 999;
  return at >= Date.now() ? undefined : at;
}

interface PastProps {
  at: number;
  onNow: () => void;
}

/** Says that the balances below are those of a past time. */
export const PastNote = ({ at, onNow }: PastProps) => (
  <p className="ht-lists-past" role="status">
    <span>
      历史余额：截至 <Time value={at} />
      ，不是当前余额。
    </span>
    <Button size="small" onClick={onNow}>
      回到现在
    </Button>
  </p>
);
