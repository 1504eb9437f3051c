import { Input } from 'antd';
import { useId } from 'react';

interface Props {
  value: string;
  onChange: (value: string) => void;
}

/** Input for the duration of a halt in minutes. */
export function MinuteInput({ value, onChange }: Props) {
  const id = useId();
  return (
    <div className="pl-field">
      <label htmlFor={id}>暂停时长</label>
      <Input
        id={id}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        suffix={<span className="ht-unit">分钟</span>}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <span className="ht-faint">1–1440</span>
    </div>
  );
}
