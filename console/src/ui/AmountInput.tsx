import './ui.css';
import { Button, Input } from 'antd';
import { typedAmount } from './amount.ts';

interface Props {
  label: string;
  /** As typed: digits and a point. */
  value: string;
  onChange: (value: string) => void;
  unit: string;
  /** What 全部 fills in; undefined where there is no such thing, null while it is not known. */
  all?: string | null | undefined;
}

/** An amount as a string of digits, never a number: separators of what is pasted are taken out, letters do not enter. */
export function AmountInput({ label, value, onChange, unit, all }: Props) {
  return (
    <div className="ht-amount-input">
      <Input
        aria-label={label}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        placeholder={`请输入${label}`}
        value={value}
        suffix={<span className="ht-unit">{unit}</span>}
        onChange={(event) => {
          const typed = typedAmount(event.target.value);
          if (typed !== undefined) onChange(typed);
        }}
      />
      {all !== undefined && (
        <Button disabled={all === null || all === '0'} onClick={() => all !== null && onChange(all)}>
          全部
        </Button>
      )}
    </div>
  );
}
