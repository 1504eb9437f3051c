import { Button } from 'antd';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorMessage } from './ErrorMessage.tsx';
import { PageModal } from './PageModal.tsx';
import type { DisplayError } from '../value/display-error.ts';

interface Props extends Pick<ComponentProps<typeof PageModal>, 'title' | 'width' | 'afterOpenChange'> {
  /** Text of the button that saves. */
  verb: string;
  danger?: boolean;
  /** Saving; the dialog cannot be closed meanwhile. */
  busy: boolean;
  /** Fields have been changed, so Escape must not discard them. */
  dirty?: boolean;
  /** Saving is not possible yet. */
  disabled?: boolean;
  error?: DisplayError | undefined;
  stateText?: (state: number) => string;
  /** Further buttons before the one that saves. */
  actions?: ReactNode;
  children: ReactNode;
  onSave: () => void;
  onClose: () => void;
}

interface FormProps {
  className: string;
  children: ReactNode;
  onSave: () => void;
}

/** The fields of a `SaveModal`. Enter in one of them saves. */
export const SaveForm = ({ className, children, onSave }: FormProps) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      onSave();
    }}
  >
    {children}
    <button type="submit" hidden aria-hidden tabIndex={-1} />
  </form>
);

/** A dialog with fields and a button that saves them. */
export function SaveModal({
  verb,
  danger = false,
  busy,
  dirty = false,
  disabled = false,
  error,
  stateText,
  actions,
  children,
  onSave,
  onClose,
  ...modal
}: Props) {
  return (
    <PageModal
      {...modal}
      closable={!busy}
      keyboard={!busy && !dirty}
      onCancel={() => !busy && onClose()}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            取消
          </Button>
          {actions}
          <Button type="primary" danger={danger} loading={busy} disabled={disabled} onClick={onSave}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {error && <ErrorMessage error={error} stateText={stateText} />}
    </PageModal>
  );
}
