import 'dayjs/locale/zh-cn';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useMe } from '../../api/me.ts';
import { usePopup } from '../../ui/page-visibility.ts';
import { addDays, dayOf, dayText, endOfDay, formatTime, momentOf, useZone } from '../../ui/zone.ts';

interface Props {
  value: number | undefined;
  onChange: (at: number | undefined) => void;
}

const DAY_MS = 86_400_000;

/** A past moment in the operator's zone; the end of yesterday is that of the reports. The picker knows no zone itself. */
export function MomentPicker({ value, onChange }: Props) {
  const zone = useZone();
  const { zone: reports } = useMe();
  const [open, setOpen] = usePopup();
  const shown = (ms: number): Dayjs => dayjs(formatTime(ms, zone));
  const ago = (days: number) => Date.now() - days * DAY_MS;

  return (
    <DatePicker
      className="us-moment"
      prefix={<span className="ht-prefix">截至时间</span>}
      aria-label="截至时间"
      placeholder="现在"
      showTime
      showNow={false}
      format="YYYY-MM-DD HH:mm:ss"
      value={value === undefined ? null : shown(value)}
      open={open}
      onOpenChange={setOpen}
      disabledDate={(date) => date.format('YYYY-MM-DD') > dayText(dayOf(Date.now(), zone))}
      presets={[
        { label: '昨日日终', value: () => shown(endOfDay(addDays(dayOf(Date.now(), reports), -1), reports)) },
        { label: '7天前', value: () => shown(ago(7)) },
        { label: '30天前', value: () => shown(ago(30)) },
      ]}
      onChange={(date: Dayjs | null) => onChange(date ? past(date, zone) : undefined)}
    />
  );
}

/** The whole second that was picked; what is not past yet is now. */
function past(date: Dayjs, zone: string): number | undefined {
  const day = { year: date.year(), month: date.month() + 1, day: date.date() };
  const second = momentOf(day, { hour: date.hour(), minute: date.minute(), second: date.second() }, zone);
  const at = second + 999;
  return at >= Date.now() ? undefined : at;
}
