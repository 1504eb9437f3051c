import './filter-field.css';
import type { Filter } from '@hengtai/contract/wire/list';
import { Input, Select } from 'antd';
import { type ComponentType, type KeyboardEvent, type ReactElement, memo } from 'react';
import { clearButton } from './clear-button.tsx';
import { isComposing } from '../browser/ime.ts';

export type Options = Readonly<Record<string | number, string>>;

/** The value of a choice that does not filter. */
export const ALL = '-1';

/** What wraps an input to offer what it can be filtered by. */
export interface SuggestProps {
  className: string;
  value: string;
  onChange: (text: string) => void;
  /** Filters by the chosen text at once. */
  onChoose: (text: string) => void;
  children: ReactElement;
}

/** Enter that ends an IME composition must not submit the form. */
export function ignoreComposing(event: KeyboardEvent) {
  if (event.key === 'Enter' && isComposing(event)) event.preventDefault();
}

interface FieldProps {
  filter: Filter;
  options: Options | undefined;
  value: string;
  /** Wraps the input of a filter by agent. */
  Suggest: ComponentType<SuggestProps> | undefined;
  onChange: (field: string, text: string) => void;
  onChoose: (field: string, text: string) => void;
}

const placeholders: Partial<Record<Filter['kind'], string>> = {
  prefix: '前缀*',
  part: '任意部分',
  contains: '任意部分',
  agent: '部分',
  ends: '首尾 6 位',
};
const hints: Partial<Record<Filter['kind'], string>> = {
  prefix: '完整账号；138* 按前缀匹配',
  ends: '完整地址或哈希，或开头、结尾的六位以上，不区分大小写',
  part: '账号的任意部分；138* 按前缀，=abc 完全一致',
  contains: '任意部分；abc* 按前缀，=abc 完全一致',
  agent: '代理账号的任意部分；abc* 按前缀；输入完整账号时只查该代理',
  subtree: '代理账号的任意部分，含其全部下级；abc* 按前缀；输入完整账号时只查该代理及下级',
};

/** 全部, unless one of the options is 全部 something itself. */
export const noFilterLabel = (options: Readonly<Record<string, string>>): string =>
  Object.values(options).some((label) => label.startsWith('全部')) ? '不限' : '全部';

/** Input or choice of one filter. Memoized, so that typing in one field does not re-render the others. */
export const FilterField = memo(({ filter, options, value, Suggest, onChange, onChoose }: FieldProps) => {
  const { label, field, hint } = filter;
  if (options) {
    const isKnown = value === '' || Object.hasOwn(options, value);
    return (
      <Select
        className="ht-form-filter ht-form-filter-choice"
        data-field={field}
        prefix={<span className="ht-form-prefix">{label}</span>}
        aria-label={label}
        {...(hint && { title: hint })}
        value={value === '' ? ALL : value}
        onChange={(next: string) => onChange(field, next === ALL ? '' : next)}
        options={[
          { value: ALL, label: noFilterLabel(options) },
          ...Object.entries(options).map(([key, text]) => ({ value: key, label: text })),
          ...(isKnown ? [] : [{ value, label: value }]),
        ]}
      />
    );
  }
  const isText = filter.type === 'text' || filter.type === 'date';
  const isLong = label.length > 3 && (placeholders[filter.kind]?.length ?? 0) > 2;
  const className = `ht-form-filter ht-form-filter-${isLong ? 'long' : filter.type}`;
  const input = (
    <Input
      className={className}
      data-field={field}
      prefix={<span className="ht-form-prefix">{label}</span>}
      aria-label={label}
      inputMode={isText ? 'text' : 'numeric'}
      placeholder={filter.type === 'date' ? '年-月-日' : (placeholders[filter.kind] ?? '')}
      title={hint ?? hints[filter.kind]}
      allowClear={clearButton}
      onKeyDown={ignoreComposing}
      autoComplete="off"
      spellCheck={false}
      maxLength={isText ? 256 : 16}
      value={value}
      onChange={({ target }) => onChange(field, isText ? target.value : target.value.replace(/\D/g, ''))}
    />
  );
  if (!Suggest || (filter.kind !== 'agent' && filter.kind !== 'subtree')) return input;
  return (
    <Suggest
      className={className}
      value={value}
      onChange={(text) => onChange(field, text)}
      onChoose={(text) => onChoose(field, text)}
    >
      {input}
    </Suggest>
  );
});
