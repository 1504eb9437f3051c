import './security.css';
import { Button, Input, type InputRef, Modal } from 'antd';
import { useId, useRef, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { type FactorQuestion, type FreshFactor, isWholeCode } from '../../../api/fresh-code.ts';
import { PasskeyError, askPasskey } from '../../../api/passkey.ts';

const CODE_MAX = 20;

interface QuestionProps {
  question: FactorQuestion;
  onAnswer: (factor: FreshFactor) => void;
  onClose: () => void;
}

/** Modal question for a second factor, above all other dialogs: the passkey first, a code below it. */
export function FactorDialog({ question, onAnswer, onClose }: QuestionProps) {
  const { code: takesCode, challenge, refusal } = question;
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState(refusal);
  const [isBusy, setIsBusy] = useState(false);
  const input = useRef<InputRef>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isComplete = isWholeCode(code);
  const submit = () => {
    if (isComplete) onAnswer({ code: code.trim() });
  };

  async function confirmByPasskey() {
    if (!challenge) return;
    setIsBusy(true);
    setProblem(null);
    try {
      onAnswer({ passkey: await askPasskey(await challenge()) });
    } catch (error) {
      setProblem(error instanceof PasskeyError ? error.message : toDisplayError(error).msg);
      setIsBusy(false);
    }
  }

  return (
    <Modal
      open
      title={challenge ? '请验证身份' : '请输入一次性验证码'}
      width={400}
      zIndex={1200}
      okText="继续"
      cancelText="取消"
      okButtonProps={{ disabled: !isComplete }}
      footer={takesCode ? undefined : <Button onClick={onClose}>取消</Button>}
      mask={{ closable: false }}
      onOk={submit}
      onCancel={onClose}
      afterOpenChange={(open) => open && (challenge ? button.current : input.current)?.focus()}
    >
      {challenge && (
        <>
          <p className="ht-security-text">此操作需要验证身份。通行密钥只确认这一次操作。</p>
          <Button
            ref={button}
            type="primary"
            size="large"
            block
            loading={isBusy}
            onClick={() => void confirmByPasskey()}
          >
            使用通行密钥
          </Button>
        </>
      )}
      {takesCode && (
        <>
          <label className={challenge ? 'ht-security-field ht-security-or' : 'ht-security-field'} htmlFor={id}>
            {challenge
              ? '或输入验证器中的 6 位数字，或一个恢复码'
              : '此操作需要验证身份，请输入验证器中的 6 位数字，或一个恢复码'}
          </label>
          <Input
            ref={input}
            id={id}
            value={code}
            autoComplete="one-time-code"
            maxLength={CODE_MAX}
            spellCheck={false}
            size="large"
            status={problem ? 'error' : ''}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-error`}
            onChange={(event) => setCode(event.target.value)}
            onPressEnter={submit}
          />
        </>
      )}
      <p id={`${id}-error`} className="ht-security-field-error" role="alert">
        {problem}
      </p>
    </Modal>
  );
}
