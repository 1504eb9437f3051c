import './greyed-action.css';
import { Popconfirm } from 'antd';
import type { ReactNode } from 'react';
import { GreyedAction } from './GreyedAction.tsx';
import { usePopup } from '../browser/page-visibility.ts';

interface Props {
  /** Why the action is not possible now; undefined if it is. */
  disabledReason: string | undefined;
  /** Question that names the object. */
  question: string;
  onYes: () => Promise<void>;
  children: ReactNode;
}

/** Level 1: an action that can be undone asks in a popconfirm, which is mounted only then. */
export function ConfirmableAction({ disabledReason, question, onYes, children }: Props) {
  const [open, setOpen] = usePopup();
  return (
    <span className="ht-dialog-confirmable">
      <GreyedAction disabledReason={disabledReason} onClick={() => setOpen(true)}>
        {children}
      </GreyedAction>
      {open && disabledReason === undefined && (
        <Popconfirm
          open
          title={question}
          onOpenChange={setOpen}
          onConfirm={() => {
            setOpen(false);
            void onYes();
          }}
        >
          <i className="ht-dialog-anchor" />
        </Popconfirm>
      )}
    </span>
  );
}
