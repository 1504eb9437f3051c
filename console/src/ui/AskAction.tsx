import { Popconfirm } from 'antd';
import type { ReactNode } from 'react';
import { GreyedAction } from './GreyedAction.tsx';
import { usePopup } from './page-visibility.ts';

interface Props {
  why: string | undefined;
  /** Names the object. */
  question: string;
  onYes: () => Promise<void>;
  children: ReactNode;
}

/** Level 1: what can be taken back is asked for at its place. */
export function AskAction({ why, question, onYes, children }: Props) {
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
