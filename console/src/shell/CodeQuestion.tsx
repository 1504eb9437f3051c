import { Input, type InputRef, Modal } from 'antd';
import { useId, useRef, useState } from 'react';
import { isWholeCode } from '../api/fresh-code.ts';

const LONGEST = 20;

interface QuestionProps {
  error: string | null;
  onAnswer: (code: string | null) => void;
}

/** One question for a code, in front of everything else. */
export function CodeQuestion({ error, onAnswer }: QuestionProps) {
  const [code, setCode] = useState('');
  const input = useRef<InputRef>(null);
  const id = useId();
  const whole = isWholeCode(code);
  const submit = () => {
    if (whole) onAnswer(code.trim());
  };
  return (
    <Modal
      open
      title="请输入一次性验证码"
      width={400}
      zIndex={1200}
      okText="继续"
      cancelText="取消"
      okButtonProps={{ disabled: !whole }}
      mask={{ closable: false }}
      onOk={submit}
      onCancel={() => onAnswer(null)}
      afterOpenChange={(open) => open && input.current?.focus()}
    >
      <label className="sh-field" htmlFor={id}>
        此操作需要验证身份，请输入验证器中的 6 位数字，或一个恢复码
      </label>
      <Input
        ref={input}
        id={id}
        value={code}
        autoComplete="one-time-code"
        maxLength={LONGEST}
        spellCheck={false}
        size="large"
        status={error ? 'error' : ''}
        aria-invalid={error !== null}
        aria-describedby={`${id}-fault`}
        onChange={(event) => setCode(event.target.value)}
        onPressEnter={submit}
      />
      <p id={`${id}-fault`} className="sh-field-fault" role="alert">
        {error}
      </p>
    </Modal>
  );
}
