import 'dayjs/locale/zh-cn';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { usePopup } from '../browser/page-visibility.ts';
import { formatTime, momentOf, useZone } from '../value/zone.ts';

interface Props {
  id?: string;
  /** Unix milliseconds. */
  value?: number | undefined;
  onChange?: (at: number | undefined) => void;
  disabled?: boolean;
}

/** Form field for a point in time, past or future, in the operator's zone. The underlying picker knows no zones. */
export function MomentField({ id, value, onChange, disabled = false }: Props) {
  const zone = useZone();
  const [open, setOpen] = usePopup();
  return (
    <DatePicker
      {...(id !== undefined && { id })}
      className="ht-form-moment"
      showTime
      showNow={false}
      format="YYYY-MM-DD HH:mm:ss"
      disabled={disabled}
      value={value === undefined ? null : dayjs(formatTime(value, zone))}
      open={open}
      onOpenChange={setOpen}
      onChange={(date: Dayjs | null) => onChange?.(date ? inZone(date, zone) : undefined)}
    />
  );
}

function inZone(date: Dayjs, zone: string): number {
  const day = { year: date.year(), month: date.month() + 1, day: date.date() };
  return momentOf(day, { hour: date.hour(), minute: date.minute(), second: date.second() }, zone);
}
