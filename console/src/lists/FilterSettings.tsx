import { FilterOutlined } from '@ant-design/icons';
import type { Filter, ListSpec } from '@hengtai/contract/wire/list';
import { Button, Checkbox, Popover } from 'antd';
import { useMemo } from 'react';
import { usePopup } from '../ui/browser/page-visibility.ts';
import { usePreference } from '../ui/browser/preference.ts';

/** By field: true if the filter is in sight, false if it is folded. Only changes are stored. */
type FilterChoice = Readonly<Record<string, boolean>>;

const NO_CHOICE: FilterChoice = {};

const parseChoice = (stored: unknown): FilterChoice | undefined =>
  typeof stored === 'object' && stored !== null && Object.values(stored).every((value) => typeof value === 'boolean')
    ? (stored as FilterChoice)
    : undefined;

/** The specification of a list with the filters folded as the operator chose. */
export function useFilterChoice(name: string, spec: ListSpec) {
  const [choice, setChoice] = usePreference<FilterChoice>(`list.${name}.filters`, NO_CHOICE, parseChoice);
  const chosenSpec = useMemo(
    () => ({ ...spec, filters: spec.filters.map((filter) => fold(filter, choice)) }),
    [spec, choice],
  );
  return { spec: chosenSpec, choice, setChoice };
}

function fold({ more, ...filter }: Filter, choice: FilterChoice): Filter {
  const isFolded = !(choice[filter.field] ?? more !== true);
  return { ...filter, ...(isFolded && { more: true }) };
}

/** 筛选项: which filters are in sight and which are folded. */
export function FilterSettings({
  spec,
  choice,
  setChoice,
}: Omit<ReturnType<typeof useFilterChoice>, 'setChoice'> & {
  setChoice: (choice: FilterChoice | undefined) => void;
}) {
  const [open, setOpen] = usePopup();
  const content = (
    <div className="ht-table-columns" role="group" aria-label="筛选项">
      <div className="ht-table-columns-head">
        <b>始终显示的筛选项</b>
        <Button type="link" size="small" onClick={() => setChoice(undefined)}>
          恢复默认
        </Button>
      </div>
      <ul>
        {spec.filters.map(({ field, label, more }) => (
          <li key={field}>
            <Checkbox
              checked={more !== true}
              onChange={({ target }) => setChoice({ ...choice, [field]: target.checked })}
            >
              {label}
            </Checkbox>
          </li>
        ))}
      </ul>
    </div>
  );
  return (
    <Popover open={open} onOpenChange={setOpen} trigger="click" placement="bottomRight" content={content}>
      <Button
        type="text"
        aria-label="筛选项"
        title="筛选项"
        aria-expanded={open}
        icon={<FilterOutlined aria-hidden />}
      />
    </Popover>
  );
}
