import { Input } from 'antd';
import { FormField } from '../../../ui/form/FormPart.tsx';

interface Props {
  value: string;
  onChange: (value: string) => void;
}

/** Input for the duration of a halt in minutes. */
export const MinuteInput = ({ value, onChange }: Props) => (
  <FormField label="暂停时长" hint="1–1440">
    {(id) => (
      <Input
        id={id}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        suffix={<span className="ht-value-unit">分钟</span>}
        onChange={(event) => onChange(event.target.value.trim())}
      />
    )}
  </FormField>
);
