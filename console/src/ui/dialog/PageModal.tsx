import './parts.css';
import './page-modal.css';
import { Modal, type ModalProps } from 'antd';
import { type ReactNode, use, useEffect, useEffectEvent, useId } from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from './CloseIcon.tsx';
import { useEscape } from '../browser/keys.ts';
import { usePageVisible } from '../browser/page-visibility.ts';
import { RecordPlaceContext } from './record-place.ts';

interface Props extends Omit<ModalProps, 'footer'> {
  footer?: ReactNode;
}

/**
 * The only dialog that pages use: a window, or a part of the open record whose action it confirms. Unmounted while its
 * tab is hidden, because an open modal breaks in a hidden tab, and restores the focus when it closes.
 */
export function PageModal(props: Props) {
  const isVisible = usePageVisible();
  const place = use(RecordPlaceContext);
  if (!isVisible || props.open === false) return null;
  if (!place) return <Window {...props} />;
  return place.element && createPortal(<RecordDialog {...props} />, place.element);
}

function Window(props: Props) {
  useFocusRestored();
  return (
    <Modal
      open
      mask={{ closable: false }}
      closeIcon={<CloseIcon hasKey={props.keyboard !== false} />}
      {...props}
      rootClassName="ht-dialog-window"
    />
  );
}

function RecordDialog({ title, children, footer, keyboard = true, wrapProps, onCancel, afterOpenChange }: Props) {
  const id = useId();
  useFocusRestored();
  const onOpened = useEffectEvent(() => afterOpenChange?.(true));
  useEffect(() => onOpened(), []);
  useEscape((event) => keyboard && onCancel?.(event as never), '[data-record-dialog]');
  return (
    // The keys of a dialog, as the kit handles them for a window.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="ht-dialog-record"
      role="dialog"
      aria-labelledby={id}
      data-overlay
      data-record-dialog
      onKeyDown={wrapProps?.onKeyDown as never}
    >
      <h3 id={id}>{title}</h3>
      <div className="ht-dialog-record-body">{children}</div>
      <footer>{footer}</footer>
    </section>
  );
}

/** Returns the focus to where it was when the dialog opened. */
function useFocusRestored() {
  useEffect(() => {
    const previousFocus = document.activeElement;
    return () => {
      const next = document.activeElement;
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected && (!next || next === document.body))
        previousFocus.focus();
    };
  }, []);
}
