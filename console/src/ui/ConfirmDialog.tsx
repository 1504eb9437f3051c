import './ui.css';
import { Button, Input } from 'antd';
import { type KeyboardEvent, type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { ErrorMessage } from './ErrorMessage.tsx';
import { Hash } from './Hash.tsx';
import { Money } from './Money.tsx';
import { PageModal } from './PageModal.tsx';
import { ReasonInput } from './ReasonInput.tsx';
import type { DisplayError } from './display-error.ts';

export interface DetailItem {
  label: string;
  value: ReactNode;
  /** Takes the whole line. */
  wide?: boolean;
}

export interface ConfirmDialogProps {
  title: string;
  details: readonly DetailItem[];
  /** In large type, with all its digits. */
  amounts?: readonly { value: string; unit: string; note?: string }[] | undefined;
  /** Shown in full, to be compared character by character. */
  address?: { value: string; label: string; note?: string };
  /** Absent where it stands among what is filled in. */
  consequence?: ReactNode;
  /** What the button says. */
  verb: string;
  danger?: boolean;
  reason?: { required: boolean; chips: readonly string[]; label?: string };
  /** Has to be typed first: the account or the count. */
  challenge?: { label: string; expect: string };
  /** More to fill in. */
  children?: ReactNode;
  /** Of the dialog; 560 unless it holds a table. */
  width?: number;
  /** Something was filled in: Escape does not throw it away. */
  dirty?: boolean;
  /** Why it cannot be confirmed; undefined when it can. */
  blocked?: string | undefined;
  /** What the dialog says is still being looked up. */
  loading?: boolean;
  makeKey: () => string;
  /** Does it under the key of this dialog; an error keeps the dialog open, undefined means that it is done. */
  run: (reason: string, key: string) => Promise<DisplayError | undefined>;
  stateText?: (state: number) => string;
  onClose: () => void;
}

/**
 * Asks before money moves. Mount it to open it: the key of the request is made then and kept for every retry, so that
 * pressing again after an unknown outcome cannot do it twice.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { reason, challenge, verb, onClose } = props;
  const [key] = useState(props.makeKey);
  const [why, setWhy] = useState('');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const running = useRef(false);
  const [cancel, focusCancel] = useFirstFocus();
  const hint = useId();

  const missing = props.blocked ?? missingOf(props, why, typed);
  const frozen = busy || error?.kind === 'unknown';
  const ended = error?.kind === 'conflict';

  async function confirm() {
    if (running.current || missing !== undefined || props.loading || ended) return;
    running.current = true;
    setBusy(true);
    try {
      setError(await props.run(why.trim(), key));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return (
    <PageModal
      title={props.title}
      width={props.width ?? 560}
      closable={!busy}
      keyboard={!busy && !props.dirty}
      onCancel={() => !busy && onClose()}
      afterOpenChange={(open) => open && focusCancel()}
      footer={
        <>
          <span id={hint} className="ht-dialog-hint">
            {missing ?? (ended ? '记录已变化，请关闭后重新查看' : 'Ctrl + Enter 确认')}
          </span>
          <Button ref={cancel} disabled={busy} onClick={onClose}>
            {ended ? '关闭' : '取消'}
          </Button>
          <Button
            type="primary"
            danger={props.danger ?? false}
            loading={busy || (props.loading ?? false)}
            disabled={missing !== undefined || ended || props.loading === true}
            aria-describedby={hint}
            data-verb
            onClick={() => void confirm()}
          >
            {error?.kind === 'unknown' ? `重试${verb}` : verb}
          </Button>
        </>
      }
      wrapProps={{
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => onDialogKey(event, confirm, frozen ? undefined : chip),
      }}
    >
      <Amounts amounts={props.amounts} />
      <dl className="ht-details">
        {props.details.map(({ label, value, wide }) => (
          <div key={label} className={wide ? 'ht-details-wide' : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {props.address && (
          <div className="ht-details-wide">
            <dt>{props.address.label}</dt>
            <dd>
              <Hash full value={props.address.value} what={props.address.label} />
              {props.address.note && <p className="ht-warn-text">{props.address.note}</p>}
            </dd>
          </div>
        )}
      </dl>
      {props.consequence !== undefined && (
        <p className="ht-consequence" data-danger={props.danger ?? false}>
          {props.consequence}
        </p>
      )}
      {props.children && (
        <fieldset className="ht-bare" disabled={frozen}>
          {props.children}
        </fieldset>
      )}
      {reason && <ReasonInput {...reason} value={why} onChange={setWhy} disabled={frozen} />}
      {challenge && (
        <label className="ht-challenge">
          <span>
            {challenge.label}：<b>{challenge.expect}</b>
          </span>
          <Input
            value={typed}
            disabled={frozen}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      )}
      <div aria-live="assertive">
        {error && <ErrorMessage error={error} {...(props.stateText && { stateText: props.stateText })} />}
      </div>
    </PageModal>
  );

  function chip(index: number) {
    const text = reason?.chips[index];
    if (text !== undefined) setWhy(text);
  }
}

// The cross at the corner is where the kit puts the focus by itself.
const CONTROL = 'button:not(.ant-modal-close), a, input, textarea';

/**
 * The dialog opens with the focus on what does nothing: at once where it can be seen already, else when it can. Where
 * somebody is already at one of its controls the focus stays.
 */
function useFirstFocus() {
  const button = useRef<HTMLButtonElement | HTMLAnchorElement>(null);
  const focus = useCallback(() => {
    const active = document.activeElement;
    const inside = button.current?.closest('[role="dialog"]')?.contains(active) ?? false;
    if (!inside || !active?.closest(CONTROL)) button.current?.focus({ preventScroll: true });
  }, []);
  const take = useCallback(
    (found: HTMLButtonElement | HTMLAnchorElement | null) => {
      const first = button.current === null;
      button.current = found;
      if (found && first) focus();
    },
    [focus],
  );
  return [take, focus] as const;
}

function Amounts({ amounts }: Pick<ConfirmDialogProps, 'amounts'>) {
  if (!amounts) return null;
  return (
    <div className="ht-amounts" data-many={amounts.length > 1}>
      {amounts.map(({ value, unit, note }) => (
        <div key={unit} className="ht-amount-large">
          <Money value={value} unit={unit} digits={18} />
          {note && <small>{note}</small>}
        </div>
      ))}
    </div>
  );
}

function missingOf({ reason, challenge }: ConfirmDialogProps, why: string, typed: string): string | undefined {
  if (reason?.required && why.trim() === '') return `请输入${reason.label ?? '原因'}`;
  if (challenge && typed.trim() !== challenge.expect) return challenge.label;
  return undefined;
}

/** Enter never confirms, Ctrl+Enter does, and number keys pick a common reason while nobody is typing. */
function onDialogKey(
  event: KeyboardEvent<HTMLElement>,
  confirm: () => Promise<void>,
  chip: ((index: number) => void) | undefined,
) {
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const target = event.target as HTMLElement;
  if (event.key === 'Enter') {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      if (!event.repeat) void confirm();
    } else if (target.closest('[data-verb], input')) {
      event.preventDefault();
    }
    return;
  }
  const plainKey = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plainKey && /^[1-9]$/.test(event.key) && !target.closest('input, textarea')) chip?.(Number(event.key) - 1);
}
