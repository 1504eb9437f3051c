import { Popconfirm } from 'antd';
import type { ReactNode } from 'react';
import { GreyedAction } from './GreyedAction.tsx';
import { usePopup } from './page-visibility.ts';

interface Props {
  /** Why the action is not possible now; undefined if it is. */
  why: string | undefined;
  /** Question that names the object. */
  question: string;
  onYes: () => Promise<void>;
  children: ReactNode;
}

/** Level 1: an action that can be undone asks in a popconfirm. */
export function ConfirmableAction({ why, question, onYes, children }: Props) {
  const [open, setOpen] = usePopup();
  return (
    <Popconfirm
      title={question}
      open={open && why === undefined}
      onOpenChange={(next) => setOpen(next && why === undefined)}
      onConfirm={() => {
        setOpen(false);
        void onYes();
      }}
    >
      <span>
        <GreyedAction why={why} onClick={() => setOpen(true)}>
          {children}
        </GreyedAction>
      </span>
    </Popconfirm>
  );
}
