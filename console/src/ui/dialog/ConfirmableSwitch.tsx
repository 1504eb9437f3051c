import './confirmable-switch.css';
import './greyed-action.css';
import { Popconfirm, Tooltip } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { ErrorMessage } from './ErrorMessage.tsx';
import type { DisplayError } from '../value/display-error.ts';
import { usePopup } from '../browser/page-visibility.ts';

interface Props {
  /** Accessible name: the switch and its object, for users who do not see the row. */
  name: string;
  on: boolean;
  /** Why it cannot be switched now; undefined if it can. */
  disabledReason: string | undefined;
  /** Question that names the object and the change. */
  question: string;
  /** Consequence of the change. */
  detail?: string;
  verb: string;
  danger?: boolean;
  /** Text after the switch, if its position alone is not clear. */
  children?: ReactNode;
  makeKey: () => string;
  /** Sends the change with the idempotency key of this question; a returned error keeps the question open. */
  onYes: (key: string) => Promise<DisplayError | undefined>;
}

/**
 * A switch in a table row that asks for confirmation. A page has hundreds of them, so tooltip and popconfirm are only
 * mounted when needed, next to the button, which keeps the focus.
 */
export function ConfirmableSwitch({ name, on, disabledReason, children, ...ask }: Props) {
  const [isAsking, setIsAsking] = usePopup();
  const [isExplaining, setIsExplaining] = usePopup();
  const button = useRef<HTMLButtonElement>(null);
  const isDisabled = disabledReason !== undefined;
  return (
    <span className="ht-dialog-switch-box">
      <button
        ref={button}
        type="button"
        role="switch"
        className="ht-dialog-switch"
        aria-checked={on}
        aria-disabled={isDisabled}
        aria-label={name}
        title={isDisabled ? undefined : name}
        onPointerEnter={() => setIsExplaining(isDisabled)}
        onPointerLeave={() => setIsExplaining(false)}
        onFocus={() => setIsExplaining(isDisabled)}
        onBlur={() => setIsExplaining(false)}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          if (!isDisabled) setIsAsking(true);
        }}
      />
      {children}
      {isDisabled && isExplaining && (
        <Tooltip open title={disabledReason}>
          <i className="ht-dialog-anchor" />
        </Tooltip>
      )}
      {isAsking && !isDisabled && (
        <Question
          {...ask}
          onClose={() => {
            setIsAsking(false);
            button.current?.focus();
          }}
        />
      )}
    </span>
  );
}

type QuestionProps = Omit<Props, 'name' | 'on' | 'disabledReason' | 'children'> & { onClose: () => void };

function Question({ makeKey, onClose, ...props }: QuestionProps) {
  // Snapshot of the props: a refresh while the question is open must not reverse the confirmed change.
  const [{ question, detail, verb, danger = false, onYes }] = useState(props);
  const [key] = useState(makeKey);
  const [isBusy, setIsBusy] = useState(false);
  const isRunning = useRef(false);
  const [error, setError] = useState<DisplayError>();

  async function confirm() {
    isRunning.current = true;
    setIsBusy(true);
    const failure = await onYes(key);
    isRunning.current = false;
    setIsBusy(false);
    setError(failure);
    if (!failure) onClose();
  }

  return (
    <Popconfirm
      open
      title={<span className="ht-dialog-ask-title">{question}</span>}
      description={
        <div className="ht-dialog-ask">
          {detail}
          {error && <ErrorMessage error={error} />}
        </div>
      }
      okText={error?.kind === 'unknown' ? `重试${verb}` : verb}
      okButtonProps={{ danger, loading: isBusy, disabled: error?.kind === 'conflict' }}
      cancelButtonProps={{ autoFocus: true, disabled: isBusy }}
      // The popconfirm closes itself on confirm; it must stay open until the call is done.
      onOpenChange={(open) => !open && !isRunning.current && onClose()}
      onConfirm={() => void confirm()}
      onPopupClick={(event) => event.stopPropagation()}
    >
      <i className="ht-dialog-anchor" />
    </Popconfirm>
  );
}
