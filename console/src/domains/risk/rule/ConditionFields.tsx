import {
  CHOICES_MAX,
  CONDITIONS_MAX,
  type ChoiceFact,
  type Fact,
  type FactName,
  choiceOps,
  factGroups,
  factNames,
  facts,
  numberOps,
} from '@hengtai/contract/risk/rule/catalogue';
import { Button, Input, Select } from 'antd';
import { useMarketOptions } from '../../../lists/market-options.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { parseSignedAmount } from '../../../ui/value/amount.ts';
import { AgentChoice } from './AgentChoice.tsx';
import { type ConditionDraft, emptyCondition } from './draft.ts';

const optionsOf = <V extends string>(labels: Readonly<Record<V, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value: value as V, label: String(label) }));

const FACT_OPTIONS = Object.entries(factGroups).map(([group, label]) => ({
  label,
  options: factNames
    .filter((name) => facts[name].group === group)
    .map((name) => ({ value: name, label: facts[name].label })),
}));
const NUMBER_OPS = optionsOf(numberOps);
const CHOICE_OPS = optionsOf(choiceOps);
const YES_NO = [
  { value: true, label: '是' },
  { value: false, label: '否' },
];

interface Props {
  conditions: readonly ConditionDraft[];
  onChange: (conditions: readonly ConditionDraft[]) => void;
  onAdd: () => void;
}

/** The conditions of a rule: fact, comparison and value of each. */
export const ConditionFields = ({ conditions, onChange, onAdd }: Props) => (
  <div className="ht-rule-conditions">
    {conditions.map((condition, index) => (
      <ConditionLine
        key={condition.key}
        number={index + 1}
        condition={condition}
        isOnly={conditions.length === 1}
        onChange={(next) => onChange(conditions.map((one) => (one.key === next.key ? next : one)))}
        onRemove={() => onChange(conditions.filter(({ key }) => key !== condition.key))}
      />
    ))}
    <Button disabled={conditions.length >= CONDITIONS_MAX} onClick={onAdd}>
      添加条件
    </Button>
  </div>
);

interface LineProps {
  number: number;
  condition: ConditionDraft;
  /** A rule keeps at least one condition. */
  isOnly: boolean;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}

function ConditionLine({ number, condition, isOnly, onChange, onRemove }: LineProps) {
  return (
    <div className="ht-rule-condition" role="group" aria-label={`条件 ${number}`}>
      <Select
        aria-label={`条件 ${number} 的事实`}
        showSearch={{ optionFilterProp: 'label' }}
        value={condition.fact}
        options={FACT_OPTIONS}
        onChange={(fact: FactName) => onChange({ ...emptyCondition(fact), key: condition.key })}
      />
      <ConditionValue number={number} condition={condition} onChange={onChange} />
      <GreyedAction disabledReason={isOnly ? '至少要有一个条件' : undefined} onClick={onRemove}>
        删除
      </GreyedAction>
      <p className="ht-dialog-form-hint">{facts[condition.fact].note}</p>
    </div>
  );
}

/** Comparison and value. */
function ConditionValue({ number, condition, onChange }: Pick<LineProps, 'number' | 'condition' | 'onChange'>) {
  const opLabel = `条件 ${number} 的比较`;
  const valueLabel = `条件 ${number} 的值`;
  if (condition.op === 'is') {
    return (
      <Select
        className="ht-rule-wide"
        aria-label={valueLabel}
        value={condition.value}
        options={YES_NO}
        onChange={(value: boolean) => onChange({ ...condition, value })}
      />
    );
  }
  if (typeof condition.value === 'string') {
    const { unit }: Fact = facts[condition.fact];
    return (
      <>
        <Select
          aria-label={opLabel}
          value={condition.op}
          options={NUMBER_OPS}
          onChange={(op) => onChange({ ...condition, op })}
        />
        <Input
          aria-label={valueLabel}
          inputMode="decimal"
          autoComplete="off"
          value={condition.value}
          suffix={<span className="ht-value-unit">{unit}</span>}
          onChange={({ target }) => {
            const value = parseSignedAmount(target.value);
            if (value !== undefined) onChange({ ...condition, value });
          }}
        />
      </>
    );
  }
  return (
    <>
      <Select
        aria-label={opLabel}
        value={condition.op}
        options={CHOICE_OPS}
        onChange={(op) => onChange({ ...condition, op })}
      />
      <ChoiceField
        label={valueLabel}
        fact={condition.fact}
        value={condition.value}
        onChange={(value) => onChange({ ...condition, value })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  fact: ChoiceFact;
  value: string[];
  onChange: (value: string[]) => void;
}

function ChoiceField({ label, fact, value, onChange }: ChoiceProps) {
  const { source, options }: Fact = facts[fact];
  const coins = useMarketOptions(source === 'market');
  if (source === 'agent') return <AgentChoice label={label} value={value} onChange={onChange} />;
  return (
    <Select
      mode={source === 'network' ? 'tags' : 'multiple'}
      aria-label={label}
      maxCount={CHOICES_MAX}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={source === 'network' ? '输入网络后按回车，例如 TRC20' : '可选多项'}
      value={value}
      options={optionsOf(options ?? (source === 'market' ? coins.marketId : undefined) ?? {})}
      onChange={onChange}
    />
  );
}
