import { Input, type InputRef, Modal } from 'antd';
import { useId, useRef, useState } from 'react';
import { isWholeCode } from '../../api/fresh-code.ts';

const CODE_MAX = 20;

interface QuestionProps {
  error: string | null;
  onAnswer: (code: string | null) => void;
}

/** Modal input for a one-time code, above all other dialogs. */
export function CodeQuestion({ error, onAnswer }: QuestionProps) {
  const [code, setCode] = useState('');
  const input = useRef<InputRef>(null);
  const id = useId();
  const isComplete = isWholeCode(code);
  const submit = () => {
    if (isComplete) onAnswer(code.trim());
  };
  return (
    <Modal
      open
      title="请输入一次性验证码"
      width={400}
      zIndex={1200}
      okText="继续"
      cancelText="取消"
      okButtonProps={{ disabled: !isComplete }}
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
        maxLength={CODE_MAX}
        spellCheck={false}
        size="large"
        status={error ? 'error' : ''}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onChange={(event) => setCode(event.target.value)}
        onPressEnter={submit}
      />
      <p id={`${id}-error`} className="sh-field-error" role="alert">
        {error}
      </p>
    </Modal>
  );
}
