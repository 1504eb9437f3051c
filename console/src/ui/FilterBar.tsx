import './ui.css';
import { DownOutlined, UpOutlined } from '@ant-design/icons';
import type { Filter, ListSpec } from '@hengtai/contract/list';
import { Button, Input, Select } from 'antd';
import { type FormEvent, type KeyboardEvent, type ReactNode, memo, useState } from 'react';
import { DateRange } from './DateRange.tsx';
import { useStable } from './use-stable.ts';
import type { Range } from './zone.ts';

type Value = string | number;
type Values = Readonly<Record<string, Value | undefined>>;
export type Options = Readonly<Record<string | number, string>>;

interface Props {
  spec: ListSpec;
  /** The applied filters. */
  filters: Values;
  from: number | undefined;
  to: number | undefined;
  /** Options of filters that are only known at run time, by field. */
  options?: Readonly<Record<string, Options | undefined>>;
  onQuery: (values: { filters: Record<string, Value>; from: number | undefined; to: number | undefined }) => void;
  onReset: () => void;
  /** Tools of the list. */
  children?: ReactNode;
}

interface Draft {
  texts: Record<string, string>;
  range: Range | undefined;
}

const ALL = '-1';

function draftOf(filters: Values, from: number | undefined, to: number | undefined): Draft {
  const texts = Object.fromEntries(Object.entries(filters).map(([field, value]) => [field, String(value ?? '')]));
  return { texts, range: from !== undefined && to !== undefined ? { from, to } : undefined };
}

/** Filter form of a list. The draft is kept here until the operator queries, so typing re-renders nothing else. */
export function FilterBar({ spec, filters, from, to, options, onQuery, onReset, children }: Props) {
  const applied = JSON.stringify([filters, from, to]);
  const [draft, setDraft] = useState(() => ({ applied, ...draftOf(filters, from, to) }));
  const [isExpanded, setIsExpanded] = useState(() =>
    spec.filters.some((f) => f.more && filters[f.field] !== undefined),
  );
  if (draft.applied !== applied) setDraft({ applied, ...draftOf(filters, from, to) });

  const query = useStable((event: FormEvent) => {
    event.preventDefault();
    const values: Record<string, Value> = {};
    for (const { field } of spec.filters) {
      const text = (draft.texts[field] ?? '').trim();
      if (text !== '' && text !== ALL) values[field] = text;
    }
    onQuery({ filters: values, from: draft.range?.from, to: draft.range?.to });
  });
  const setText = useStable((field: string, text: string) =>
    setDraft((d) => ({ ...d, texts: { ...d.texts, [field]: text } })),
  );
  const setRange = useStable((range: Range | undefined) => setDraft((d) => ({ ...d, range })));
  const reset = useStable(() => {
    setDraft({ applied, texts: {}, range: undefined });
    onReset();
  });
  const toggleExpanded = useStable(() => setIsExpanded(!isExpanded));

  return (
    <form className="ht-filters" role="search" aria-label="筛选" onSubmit={query}>
      <div className="ht-filter-fields">
        {spec.filters
          .filter((filter) => isExpanded || !filter.more)
          .map((filter) => (
            <Field
              key={filter.field}
              filter={filter}
              options={options?.[filter.field] ?? filter.options}
              value={draft.texts[filter.field] ?? ''}
              onChange={setText}
            />
          ))}
        <DateRange value={draft.range} onChange={setRange} />
        <Buttons
          isExpanded={spec.filters.some((filter) => filter.more) ? isExpanded : undefined}
          onReset={reset}
          onToggle={toggleExpanded}
        />
      </div>
      {children && <div className="ht-filter-tools">{children}</div>}
    </form>
  );
}

interface ButtonsProps {
  /** Undefined if there are no further filters. */
  isExpanded: boolean | undefined;
  onReset: () => void;
  onToggle: () => void;
}

const Buttons = memo(({ isExpanded, onReset, onToggle }: ButtonsProps) => (
  <span className="ht-filter-buttons">
    <Button type="primary" htmlType="submit">
      查询
    </Button>
    <Button onClick={onReset}>重置</Button>
    {isExpanded !== undefined && (
      <Button
        type="link"
        aria-expanded={isExpanded}
        icon={isExpanded ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        iconPlacement="end"
        onClick={onToggle}
      >
        {isExpanded ? '收起' : '展开'}
      </Button>
    )}
  </span>
));

/** Enter that ends an IME composition must not submit the form. */
function ignoreComposing(event: KeyboardEvent) {
  if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault();
}

interface FieldProps {
  filter: Filter;
  options: Options | undefined;
  value: string;
  onChange: (field: string, text: string) => void;
}

const placeholders: Partial<Record<Filter['kind'], string>> = { prefix: '支持前缀匹配：138*' };

/** Memoized, so that typing in one field does not re-render the others. */
const Field = memo(({ filter, options, value, onChange }: FieldProps) => {
  const { label, field } = filter;
  if (options) {
    const isKnown = value === '' || Object.hasOwn(options, value);
    return (
      <Select
        className="ht-filter"
        data-field={field}
        prefix={<span className="ht-prefix">{label}</span>}
        aria-label={label}
        value={value === '' ? ALL : value}
        onChange={(next: string) => onChange(field, next === ALL ? '' : next)}
        options={[
          { value: ALL, label: '全部' },
          ...Object.entries(options).map(([key, text]) => ({ value: key, label: text })),
          ...(isKnown ? [] : [{ value, label: value }]),
        ]}
      />
    );
  }
  return (
    <Input
      className={filter.kind === 'prefix' ? 'ht-filter ht-filter-wide' : 'ht-filter'}
      data-field={field}
      prefix={<span className="ht-prefix">{label}</span>}
      aria-label={label}
      inputMode={filter.type === 'text' ? 'text' : 'numeric'}
      placeholder={placeholders[filter.kind] ?? ''}
      title={placeholders[filter.kind]}
      allowClear
      onKeyDown={ignoreComposing}
      autoComplete="off"
      spellCheck={false}
      maxLength={filter.type === 'text' ? 256 : 16}
      value={value}
      onChange={({ target }) =>
        onChange(field, filter.type === 'text' ? target.value : target.value.replace(/\D/g, ''))
      }
    />
  );
});
