import '../value/detail-item.css';
import './confirm-dialog.css';
import { Button, Input } from 'antd';
import { type KeyboardEvent, type ReactNode, use, useCallback, useId, useRef, useState } from 'react';
import { ErrorMessage } from './ErrorMessage.tsx';
import { Hash } from '../value/Hash.tsx';
import { Money } from '../value/Money.tsx';
import { PageModal } from './PageModal.tsx';
import { ReasonInput } from './ReasonInput.tsx';
import { RecordPlaceContext } from './record-place.ts';
import type { DisplayError } from '../value/display-error.ts';
import { isComposing } from '../browser/ime.ts';

export interface DetailItem {
  label: string;
  value: ReactNode;
  /** Spans the whole width. */
  wide?: boolean;
  /** Also shown inside the open record, which shows the others itself. */
  essential?: boolean;
}

export interface ConfirmDialogProps {
  title: string;
  details: readonly DetailItem[];
  /** Shown large, with all digits. */
  amounts?: readonly { value: string; unit: string; note?: string }[] | undefined;
  /** Shown in full so that it can be compared character by character. */
  address?: { value: string; label: string; note?: string };
  /** Consequence of the action; omitted if the form fields already show it. */
  consequence?: ReactNode;
  /** Text of the confirm button. */
  verb: string;
  danger?: boolean;
  /** `given`: the text that it is opened with. */
  reason?: { required: boolean; chips: readonly string[]; label?: string; given?: string };
  /** Text that must be typed before confirming: the account or the count. */
  challenge?: { label: string; expect: string };
  /** Additional form fields. */
  children?: ReactNode;
  /** Width in pixels, 560 by default. */
  width?: number;
  /** Fields have been filled in, so Escape must not discard them. */
  dirty?: boolean;
  /** Why confirming is not possible; undefined if it is. */
  blocked?: string | undefined;
  /** The content of the dialog is still loading. */
  loading?: boolean;
  makeKey: () => string;
  /**
   * Executes the action with the idempotency key of this dialog. A returned error keeps the dialog open; undefined
   * means success.
   */
  run: (reason: string, key: string) => Promise<DisplayError | undefined>;
  stateText?: (state: number) => string;
  onClose: () => void;
}

/**
 * Confirmation before money moves. Mounting opens it and creates the idempotency key, which every retry reuses, so that
 * retrying after an unknown outcome cannot execute the action twice.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { reason, challenge, verb, onClose } = props;
  const [key] = useState(props.makeKey);
  const [typedReason, setTypedReason] = useState(reason?.given ?? '');
  const [typedText, setTypedText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const isInRecord = use(RecordPlaceContext) !== undefined;
  const isRunning = useRef(false);
  const [cancel, focusCancel] = useInitialFocus();
  const hint = useId();

  const missing = props.blocked ?? findMissing(props, typedReason, typedText);
  const isLocked = isBusy || error?.kind === 'unknown';
  const hasConflict = error?.kind === 'conflict';

  async function confirm() {
    if (isRunning.current || missing !== undefined || props.loading || hasConflict) return;
    isRunning.current = true;
    setIsBusy(true);
    try {
      setError(await props.run(typedReason.trim(), key));
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }

  return (
    <PageModal
      title={props.title}
      width={props.width ?? 560}
      closable={!isBusy}
      keyboard={!isBusy && !props.dirty}
      onCancel={() => !isBusy && onClose()}
      afterOpenChange={(open) => open && focusCancel()}
      footer={
        <>
          <span id={hint} className="ht-dialog-hint">
            {missing ?? (hasConflict ? '记录已变化，请关闭后重新查看' : 'Ctrl + Enter 确认')}
          </span>
          <Button ref={cancel} disabled={isBusy} onClick={onClose}>
            {hasConflict ? '关闭' : '取消'}
          </Button>
          <Button
            type="primary"
            danger={props.danger ?? false}
            loading={isBusy || (props.loading ?? false)}
            disabled={missing !== undefined || hasConflict || props.loading === true}
            aria-describedby={hint}
            data-verb
            onClick={() => void confirm()}
          >
            {error?.kind === 'unknown' ? `重试${verb}` : verb}
          </Button>
        </>
      }
      wrapProps={{
        onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
          onDialogKey(event, confirm, isLocked ? undefined : pickReason),
      }}
    >
      <div>
        <Amounts amounts={props.amounts} />
        <dl className="ht-value-details">
          {props.details
            .filter(({ essential }) => essential || !isInRecord)
            .map(({ label, value, wide }) => (
              <div key={label} className={wide ? 'ht-value-details-wide' : undefined}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          {props.address && (
            <div className="ht-value-details-wide">
              <dt>{props.address.label}</dt>
              <dd>
                <Hash full value={props.address.value} label={props.address.label} />
                {props.address.note && <p className="ht-value-warn">{props.address.note}</p>}
              </dd>
            </div>
          )}
        </dl>
        {props.consequence !== undefined && (
          <p className="ht-dialog-consequence" data-danger={props.danger ?? false}>
            {props.consequence}
          </p>
        )}
      </div>
      <div>
        {props.children && (
          <fieldset className="ht-dialog-bare" disabled={isLocked}>
            {props.children}
          </fieldset>
        )}
        {reason && <ReasonInput {...reason} value={typedReason} onChange={setTypedReason} disabled={isLocked} />}
        {challenge && (
          <label className="ht-dialog-challenge">
            <span>
              {challenge.label}：<b>{challenge.expect}</b>
            </span>
            <Input
              value={typedText}
              disabled={isLocked}
              autoComplete="off"
              onChange={(event) => setTypedText(event.target.value)}
            />
          </label>
        )}
      </div>
      <div aria-live="assertive">{error && <ErrorMessage error={error} stateText={props.stateText} />}</div>
    </PageModal>
  );

  function pickReason(index: number) {
    const text = reason?.chips[index];
    if (text !== undefined) setTypedReason(text);
  }
}

// The kit itself focuses the close button.
const CONTROL = 'button:not(.ant-modal-close), a, input, textarea';

/** Focuses the cancel button when the dialog opens, unless a control of the dialog already has the focus. */
function useInitialFocus() {
  const button = useRef<HTMLButtonElement | HTMLAnchorElement>(null);
  const focus = useCallback(() => {
    const active = document.activeElement;
    const isInside = button.current?.closest('[role="dialog"]')?.contains(active) ?? false;
    if (!isInside || !active?.closest(CONTROL)) button.current?.focus({ preventScroll: true });
  }, []);
  const setButton = useCallback(
    (element: HTMLButtonElement | HTMLAnchorElement | null) => {
      const first = button.current === null;
      button.current = element;
      if (element && first) focus();
    },
    [focus],
  );
  return [setButton, focus] as const;
}

function Amounts({ amounts }: Pick<ConfirmDialogProps, 'amounts'>) {
  if (!amounts) return null;
  return (
    <div className="ht-dialog-amounts" data-many={amounts.length > 1}>
      {amounts.map(({ value, unit, note }) => (
        <div key={unit} className="ht-value-large">
          <Money value={value} unit={unit} />
          {note && <small>{note}</small>}
        </div>
      ))}
    </div>
  );
}

function findMissing(
  { reason, challenge }: ConfirmDialogProps,
  typedReason: string,
  typedText: string,
): string | undefined {
  if (reason?.required && typedReason.trim() === '') return `请输入${reason.label ?? '原因'}`;
  if (challenge && typedText.trim() !== challenge.expect) return challenge.label;
  return undefined;
}

/** Enter does not confirm, Ctrl+Enter does; number keys pick a common reason unless the focus is in a text field. */
function onDialogKey(
  event: KeyboardEvent<HTMLElement>,
  confirm: () => Promise<void>,
  pickReason: ((index: number) => void) | undefined,
) {
  if (isComposing(event)) return;
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
  const hasNoModifier = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (hasNoModifier && /^[1-9]$/.test(event.key) && !target.closest('input, textarea'))
    pickReason?.(Number(event.key) - 1);
}
