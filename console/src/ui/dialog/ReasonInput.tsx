import './key.css';
import './reason-input.css';
import { Input } from 'antd';
import { useId } from 'react';

interface Props {
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
  /** Common reasons. */
  chips?: readonly string[];
  disabled?: boolean;
  label?: string;
}

const REASON_MAX = 200;

/** Reason input with chips for common reasons, also picked by number keys. */
export function ReasonInput({
  value,
  onChange,
  required = false,
  chips = [],
  disabled = false,
  label = '原因',
}: Props) {
  const id = useId();
  return (
    <div className="ht-dialog-reason">
      <label htmlFor={id}>
        {required && (
          <span className="ht-dialog-required" aria-hidden>
            *
          </span>
        )}
        {label}
        {!required && <span className="ht-value-faint">（选填）</span>}
      </label>
      {chips.length > 0 && (
        <div className="ht-dialog-chips" role="group" aria-label="常用原因">
          {chips.map((chip, i) => (
            <button
              key={chip}
              type="button"
              className="ht-dialog-chip"
              aria-pressed={value === chip}
              disabled={disabled}
              onClick={() => onChange(chip)}
            >
              <kbd className="ht-dialog-key">{i + 1}</kbd>
              {chip}
            </button>
          ))}
        </div>
      )}
      <Input.TextArea
        id={id}
        value={value}
        disabled={disabled}
        maxLength={REASON_MAX}
        autoSize={{ minRows: 2, maxRows: 4 }}
        placeholder={`请输入${label}`}
        aria-required={required}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
