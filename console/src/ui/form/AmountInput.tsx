import './amount.css';
import { Button, Input } from 'antd';
import { parseAmount } from '../value/amount.ts';

interface Props {
  id?: string;
  label: string;
  /** The text as typed: digits and a decimal point. */
  value: string;
  onChange: (value: string) => void;
  unit: string;
  /** Amount that 全部 fills in; undefined hides the button, null disables it until the amount is known. */
  all?: string | null | undefined;
}

/**
 * Input for an amount as decimal string, never a number. Separators in pasted text are removed; other characters are
 * rejected.
 */
export function AmountInput({ id, label, value, onChange, unit, all }: Props) {
  return (
    <div className="ht-form-amount-input">
      <Input
        {...(id === undefined ? { 'aria-label': label } : { id })}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        placeholder={`请输入${label}`}
        value={value}
        suffix={<span className="ht-value-unit">{unit}</span>}
        onChange={(event) => {
          const amount = parseAmount(event.target.value);
          if (amount !== undefined) onChange(amount);
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
