import './ui.css';
import { Popconfirm, Tooltip } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { ErrorMessage } from './ErrorMessage.tsx';
import type { DisplayError } from './display-error.ts';
import { usePopup } from './page-visibility.ts';

interface Props {
  /** Names the switch and its object, for those who do not see the row. */
  name: string;
  on: boolean;
  /** Why it cannot be turned now; undefined when it can. */
  why: string | undefined;
  /** Names the object and what changes. */
  question: string;
  /** What follows from it. */
  detail?: string;
  verb: string;
  danger?: boolean;
  /** Written behind the switch where its position alone does not say enough. */
  children?: ReactNode;
  makeKey: () => string;
  /** Turns it under the key of this question; an error keeps the question open. */
  onYes: (key: string) => Promise<DisplayError | undefined>;
}

/**
 * A switch in a row that asks before it turns. A page shows hundreds of them, so what floats is made only when it is
 * asked for, beside the button, which stays where it is and keeps the focus.
 */
export function AskSwitch({ name, on, why, children, ...ask }: Props) {
  const [asking, setAsking] = usePopup();
  const [explaining, setExplaining] = usePopup();
  const button = useRef<HTMLButtonElement>(null);
  const greyed = why !== undefined;
  return (
    <span className="ht-switch-box">
      <button
        ref={button}
        type="button"
        role="switch"
        className="ht-switch"
        aria-checked={on}
        aria-disabled={greyed}
        aria-label={name}
        onPointerEnter={() => setExplaining(greyed)}
        onPointerLeave={() => setExplaining(false)}
        onFocus={() => setExplaining(greyed)}
        onBlur={() => setExplaining(false)}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          if (!greyed) setAsking(true);
        }}
      />
      {children}
      {greyed && explaining && (
        <Tooltip open title={why}>
          <i className="ht-switch-anchor" />
        </Tooltip>
      )}
      {asking && !greyed && (
        <Question
          {...ask}
          onClose={() => {
            setAsking(false);
            button.current?.focus();
          }}
        />
      )}
    </span>
  );
}

type QuestionProps = Omit<Props, 'name' | 'on' | 'why' | 'children'> & { onClose: () => void };

function Question({ makeKey, onClose, ...props }: QuestionProps) {
  // A refresh may change the row while the dialog is open: the confirmed value is sent, never its opposite.
  const [{ question, detail, verb, danger = false, onYes }] = useState(props);
  const [key] = useState(makeKey);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const [error, setError] = useState<DisplayError>();

  async function yes() {
    running.current = true;
    setBusy(true);
    const failed = await onYes(key);
    running.current = false;
    setBusy(false);
    setError(failed);
    if (!failed) onClose();
  }

  return (
    <Popconfirm
      open
      title={<span className="ht-ask-title">{question}</span>}
      description={
        <div className="ht-ask">
          {detail}
          {error && <ErrorMessage error={error} />}
        </div>
      }
      okText={error?.kind === 'unknown' ? `重试${verb}` : verb}
      okButtonProps={{ danger, loading: busy, disabled: error?.kind === 'conflict' }}
      cancelButtonProps={{ autoFocus: true, disabled: busy }}
      // It would close by itself as soon as it is answered; it stays until it is done.
      onOpenChange={(open) => !open && !running.current && onClose()}
      onConfirm={() => void yes()}
      onPopupClick={(event) => event.stopPropagation()}
    >
      <i className="ht-switch-anchor" />
    </Popconfirm>
  );
}
