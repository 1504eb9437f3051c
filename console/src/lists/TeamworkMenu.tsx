import { queueActions } from '@hengtai/contract/desk/queue/facts';
import { useState } from 'react';
import { MoreActions } from '../ui/dialog/MoreActions.tsx';
import { dialogOnDemand } from '../ui/page/on-demand.tsx';
import type { ReviewTarget } from './claims.ts';

const dialogs = {
  comment: dialogOnDemand(async () => (await import('./teamwork-dialogs.tsx')).CommentDialog),
  park: dialogOnDemand(async () => (await import('./teamwork-dialogs.tsx')).ParkDialog),
  handOver: dialogOnDemand(async () => (await import('./teamwork-dialogs.tsx')).HandOverDialog),
  escalate: dialogOnDemand(async () => (await import('./teamwork-dialogs.tsx')).EscalateDialog),
};
type Step = keyof typeof dialogs;
const STEPS = Object.keys(dialogs) as Step[];
const NOT_WAITING = '记录已处理';

interface Props extends ReviewTarget {
  /** Only comments are possible after the decision. */
  isWaiting: boolean;
}

/** 协作: what an operator can do about a record besides deciding it. */
export function TeamworkMenu({ type, id, isWaiting }: Props) {
  const [open, setOpen] = useState<{ step: Step; id: number }>();
  // A dialog belongs to the record that was open.
  const Dialog = open?.id === id ? dialogs[open.step] : undefined;
  return (
    <>
      <MoreActions
        label="协作"
        text="协作"
        actions={STEPS.map((step) => ({
          key: step,
          label: queueActions[step].summary,
          disabledReason: isWaiting || step === 'comment' ? undefined : NOT_WAITING,
        }))}
        onAction={(key) => setOpen({ step: key as Step, id })}
      />
      {Dialog && <Dialog type={type} id={id} onClose={() => setOpen(undefined)} />}
    </>
  );
}
