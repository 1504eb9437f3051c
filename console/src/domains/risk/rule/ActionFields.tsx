import { POINTS_MAX, peopleOptions } from '@hengtai/contract/risk/rule/catalogue';
import type { RuleActions } from '@hengtai/contract/risk/rule/schema';
import { Checkbox, Input, Select } from 'antd';
import { useId } from 'react';

interface Props {
  actions: RuleActions;
  onChange: (actions: RuleActions) => void;
}

type FlagAction = 'hold' | 'manual' | 'openCase' | 'stopCoin';

const FLAGS: readonly { name: FlagAction; label: string; note: string }[] = [
  { name: 'hold', label: '拦截', note: '不能批量通过，也不会自动通过' },
  { name: 'manual', label: '禁止自动通过', note: '由人审核' },
  { name: 'openCase', label: '建立案件', note: '进入案件队列' },
  { name: 'stopCoin', label: '暂停该币种的自动打款', note: '影响该币种的全部提现' },
];

const PEOPLE: readonly RuleActions['people'][] = [0, 2, 3];
const PEOPLE_OPTIONS = PEOPLE.map((value) => ({ value, label: peopleOptions[value] }));

/** What follows for a withdrawal that the rule hits. */
export function ActionFields({ actions, onChange }: Props) {
  const id = useId();
  return (
    <div className="ht-rule-actions">
      <label htmlFor={`${id}points`}>记分</label>
      <Input
        id={`${id}points`}
        className="rule-points"
        inputMode="numeric"
        autoComplete="off"
        value={String(actions.points)}
        suffix={<span className="ht-value-unit">分</span>}
        onChange={({ target }) => onChange({ ...actions, points: pointsOf(target.value, actions.points) })}
      />
      <span className="ht-dialog-form-hint">0 至 {POINTS_MAX}，命中多条规则时相加</span>
      <label htmlFor={`${id}people`}>审核人数</label>
      <Select
        id={`${id}people`}
        value={actions.people}
        options={PEOPLE_OPTIONS}
        onChange={(people) => onChange({ ...actions, people })}
      />
      <span className="ht-dialog-form-hint">只会比复核策略更严</span>
      {FLAGS.map(({ name, label, note }) => (
        <Checkbox
          key={name}
          checked={actions[name]}
          onChange={({ target }) => onChange({ ...actions, [name]: target.checked })}
        >
          {label} <span className="ht-value-faint">{note}</span>
        </Checkbox>
      ))}
    </div>
  );
}

/** The typed points; what is no number within the limits changes nothing. */
function pointsOf(typed: string, before: number): number {
  const points = Number(typed.trim());
  return /^\d{0,3}$/.test(typed.trim()) && points <= POINTS_MAX ? points : before;
}
