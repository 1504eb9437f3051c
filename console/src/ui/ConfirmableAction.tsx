import { Popconfirm } from 'antd';
import type { ReactNode } from 'react';
import { GreyedAction } from './GreyedAction.tsx';
import { usePopup } from './page-visibility.ts';

interface Props {
  /** Why the action is not possible now; undefined if it is. */
  disabledReason: string | undefined;
  /** Question that names the object. */
  question: string;
  onYes: () => Promise<void>;
  children: ReactNode;
}

/** Level 1: an action that can be undone asks in a popconfirm. */
export function ConfirmableAction({ disabledReason, question, onYes, children }: Props) {
  const [open, setOpen] = usePopup();
  return (
    <Popconfirm
      title={question}
      open={open && disabledReason === undefined}
      onOpenChange={(next) => setOpen(next && disabledReason === undefined)}
      onConfirm={() => {
        setOpen(false);
        void onYes();
      }}
    >
      <span>
        <GreyedAction disabledReason={disabledReason} onClick={() => setOpen(true)}>
          {children}
        </GreyedAction>
      </span>
    </Popconfirm>
  );
}
