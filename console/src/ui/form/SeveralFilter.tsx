import './filter-field.css';
import './several-filter.css';
import { Select } from 'antd';
import { memo } from 'react';
import { clearButton } from './clear-button.tsx';

interface Props {
  field: string;
  label: string;
  options: Readonly<Record<string | number, string>>;
  /** The chosen values, separated by commas; empty for all. */
  value: string;
  onChange: (field: string, values: string) => void;
}

/** Shows ten values without scrolling. */
const LIST_HEIGHT = 330;

/** Choice of several values of a filter. */
export const SeveralFilter = memo(({ field, label, options, value, onChange }: Props) => {
  const chosen = value === '' ? [] : value.split(',');
  const unknown = chosen.filter((one) => !Object.hasOwn(options, one));
  const choices = [...Object.entries(options), ...unknown.map((one) => [one, one] as const)];
  return (
    <Select
      mode="multiple"
      className="ht-form-filter ht-form-several"
      data-field={field}
      prefix={<span className="ht-form-prefix">{label}</span>}
      aria-label={label}
      placeholder="全部"
      showSearch={false}
      listHeight={LIST_HEIGHT}
      allowClear={clearButton}
      value={chosen}
      onChange={(next: string[]) =>
        onChange(field, choices.flatMap(([one]) => (next.includes(one) ? [one] : [])).join(','))
      }
      options={choices.map(([one, text]) => ({ value: one, label: text }))}
    />
  );
});
