import { Select } from 'antd';
import { memo } from 'react';
import { clearButton } from './clear-button.tsx';

interface Props {
  label: string;
  options: Readonly<Record<string | number, string>>;
  /** The chosen states, separated by commas; empty for all. */
  value: string;
  onChange: (states: string) => void;
}

/** Shows ten states without scrolling. */
const LIST_HEIGHT = 330;

/** Choice of several states of a list. */
export const StatesFilter = memo(({ label, options, value, onChange }: Props) => {
  const chosen = value === '' ? [] : value.split(',');
  const unknown = chosen.filter((state) => !Object.hasOwn(options, state));
  const choices = [...Object.entries(options), ...unknown.map((state) => [state, state] as const)];
  return (
    <Select
      mode="multiple"
      className="ht-filter ht-filter-states"
      data-field="state"
      prefix={<span className="ht-prefix">{label}</span>}
      aria-label={label}
      placeholder="全部"
      showSearch={false}
      listHeight={LIST_HEIGHT}
      allowClear={clearButton}
      value={chosen}
      onChange={(next: string[]) =>
        onChange(choices.flatMap(([state]) => (next.includes(state) ? [state] : [])).join(','))
      }
      options={choices.map(([state, text]) => ({ value: state, label: text }))}
    />
  );
});
