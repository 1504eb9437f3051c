import './filter-bar.css';
import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { type Filter, type ListSpec, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { Button } from 'antd';
import { type ComponentType, type FormEvent, memo, useMemo, useState } from 'react';
import { AmountRange, rangeError } from './AmountRange.tsx';
import { DateRange } from './DateRange.tsx';
import { ALL, FilterField, type Options, type SuggestProps } from './FilterField.tsx';
import { SeveralFilter } from './SeveralFilter.tsx';
import { decimalOf } from '../value/amount.ts';
import { useStable } from '../browser/use-stable.ts';
import type { Range } from '../value/zone.ts';

type Value = string | number;
type Values = Readonly<Record<string, Value | undefined>>;

interface Props {
  spec: ListSpec;
  /** The applied filters. */
  filters: Values;
  from: number | undefined;
  to: number | undefined;
  /** Options of filters that are only known at run time, by field. */
  options?: Readonly<Record<string, Options | undefined>>;
  /** Wraps the input of a filter by agent. */
  Suggest?: ComponentType<SuggestProps>;
  onQuery: (values: { filters: Record<string, Value>; from: number | undefined; to: number | undefined }) => void;
  onReset: () => void;
}

interface Draft {
  /** By field. Of filters that take several values, the chosen ones are in `states`, also if there is only one. */
  texts: Record<string, string>;
  range: Range | undefined;
  /** Why the range of amounts could not be queried. */
  error?: string | undefined;
}

function draftOf(spec: ListSpec, filters: Values, from: number | undefined, to: number | undefined): Draft {
  const texts = Object.fromEntries(Object.entries(filters).map(([field, value]) => [field, String(value ?? '')]));
  for (const filter of filtersOf(spec)) {
    if (filter.kind !== 'any') continue;
    const single = singleField(filter);
    texts[filter.field] = chosenOf(filters[single], filters[filter.field]);
    delete texts[single];
  }
  return { texts, range: from !== undefined && to !== undefined ? { from, to } : undefined };
}

/** The values that `state` and `states` of an address name; both together mean what they have in common. */
function chosenOf(single: Value | undefined, values: Value | undefined): string {
  const several = values === undefined ? [] : String(values).split(',');
  if (single === undefined) return [...new Set(several)].join(',');
  const one = String(single);
  return several.length === 0 || several.includes(one) ? one : [one, ...several].join(',');
}

/** The filters of a submitted draft: one chosen value is written as `state`, several as `states`. */
function filtersOfDraft(spec: ListSpec, texts: Readonly<Record<string, string>>): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const filter of filtersOf(spec)) {
    const { field, type } = filter;
    const text = (texts[field] ?? '').trim();
    if (type === 'amount' || type === 'signed') {
      const amount = decimalOf(text);
      if (amount !== undefined) values[field] = amount;
    } else if (type === 'ints' && text !== '') {
      values[text.includes(',') ? field : singleField(filter)] = text;
    } else if (text !== '' && text !== ALL) values[field] = text;
  }
  return values;
}

/** Filter form of a list. The draft is kept here until the operator queries, so typing re-renders nothing else. */
export function FilterBar({ spec, filters, from, to, options, Suggest, onQuery, onReset }: Props) {
  const applied = JSON.stringify([filters, from, to]);
  const [draft, setDraft] = useState(() => ({ applied, ...draftOf(spec, filters, from, to) }));
  const [isExpanded, setIsExpanded] = useState(() =>
    filtersOf(spec).some((f) => f.more && filters[f.field] !== undefined),
  );
  const bounds = useMemo(() => filtersOf(spec).filter(({ kind }) => kind === 'min' || kind === 'max'), [spec]);
  if (draft.applied !== applied) setDraft({ applied, ...draftOf(spec, filters, from, to) });

  const apply = (texts: Readonly<Record<string, string>>) => {
    const error = rangeError(bounds, texts['amountFrom'] ?? '', texts['amountTo'] ?? '');
    if (error) {
      setDraft((d) => ({ ...d, error }));
      setIsExpanded(true);
      return;
    }
    onQuery({ filters: filtersOfDraft(spec, texts), from: draft.range?.from, to: draft.range?.to });
  };
  const query = useStable((event: FormEvent) => {
    event.preventDefault();
    apply(draft.texts);
  });
  const setText = useStable((field: string, text: string) =>
    setDraft((d) => ({ ...d, texts: { ...d.texts, [field]: text }, error: undefined })),
  );
  const choose = useStable((field: string, text: string) => {
    setText(field, text);
    apply({ ...draft.texts, [field]: text });
  });
  const setRange = useStable((range: Range | undefined) => setDraft((d) => ({ ...d, range })));
  const reset = useStable(() => {
    setDraft({ applied, texts: {}, range: undefined });
    onReset();
  });
  const toggleExpanded = useStable(() => setIsExpanded(!isExpanded));

  return (
    <form className="ht-form-filters" role="search" aria-label="筛选" onSubmit={query}>
      <div className="ht-form-filter-fields">
        <Fields
          spec={spec}
          draft={draft}
          options={options}
          isExpanded={isExpanded}
          bounds={bounds}
          Suggest={Suggest}
          onChange={setText}
          onChoose={choose}
        />
        <DateRange value={draft.range} onChange={setRange} />
        <Buttons
          isExpanded={spec.filters.some((filter) => filter.more) ? isExpanded : undefined}
          onReset={reset}
          onToggle={toggleExpanded}
        />
      </div>
    </form>
  );
}

interface FieldsProps {
  spec: ListSpec;
  options: Props['options'] | undefined;
  draft: Draft;
  isExpanded: boolean;
  /** The filters of the least and of the greatest amount, if the list has them. */
  bounds: readonly Filter[];
  Suggest: Props['Suggest'] | undefined;
  onChange: (field: string, text: string) => void;
  onChoose: (field: string, text: string) => void;
}

function Fields({
  spec,
  options,
  draft: { texts, error },
  isExpanded,
  bounds,
  Suggest,
  onChange,
  onChoose,
}: FieldsProps) {
  const several = new Map(
    filtersOf(spec).flatMap((one) => (one.kind === 'any' ? [[singleField(one), one.field]] : [])),
  );
  const amount = spec.columns?.find(({ field }) => field === 'amount');
  return (
    <>
      {spec.filters
        .filter(({ more }) => isExpanded || !more)
        .map((filter) => {
          const { field, label } = filter;
          const labels = options?.[field] ?? filter.options;
          const inSeveral = several.get(field);
          return inSeveral !== undefined && labels ? (
            <SeveralFilter
              key={field}
              field={inSeveral}
              label={label}
              options={labels}
              value={texts[inSeveral] ?? ''}
              onChange={onChange}
            />
          ) : (
            <FilterField
              key={field}
              filter={filter}
              options={labels}
              value={texts[field] ?? ''}
              Suggest={Suggest}
              onChange={onChange}
              onChoose={onChoose}
            />
          );
        })}
      {amount && (isExpanded || !bounds[0]?.more) && (
        <AmountRange
          label={amount.title}
          bounds={bounds}
          from={texts['amountFrom'] ?? ''}
          to={texts['amountTo'] ?? ''}
          error={error}
          onChange={onChange}
        />
      )}
    </>
  );
}

interface ButtonsProps {
  /** Undefined if there are no further filters. */
  isExpanded: boolean | undefined;
  onReset: () => void;
  onToggle: () => void;
}

const Buttons = memo(({ isExpanded, onReset, onToggle }: ButtonsProps) => (
  <span className="ht-form-filter-buttons">
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
