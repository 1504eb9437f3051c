import '../ui/review.css';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import { PageDrawer } from '../ui/PageDrawer.tsx';
import type { ActionLabels } from '../ui/action-labels.ts';
import { ErrorState } from '../ui/list-states.tsx';

interface Props {
  id: number | undefined;
  /** What kind of record it is, in front of its number. */
  noun: string;
  state: ReactNode;
  /** In the queue: how many are left, this one included. */
  left: number | undefined;
  /** What can be done; absent until the record is there. */
  actions: ReactNode;
  reading: { error: unknown; refetch: () => unknown };
  /** The record; absent until it is there. */
  children: ReactNode;
  onClose: () => void;
}

/** One record with everything needed to decide about it, in a drawer wide enough for all of it. */
export function ReviewDrawer({ id, noun, state, left, actions, reading, children, onClose }: Props) {
  return (
    <PageDrawer
      open={id !== undefined}
      width="clamp(800px, 66vw, 1240px)"
      title={
        <span className="ht-review-head">
          {noun} #{id}
          {state}
        </span>
      }
      extra={left !== undefined && <span className="ht-review-left" role="status">{`审核队列 · 剩余 ${left} 条`}</span>}
      footer={
        actions !== undefined && (
          <>
            {actions}
            <span className="ht-review-gap" />
            <Button onClick={onClose}>{left === undefined ? '关闭' : '退出队列'}</Button>
          </>
        )
      }
      onClose={onClose}
    >
      {children ? (
        <div className="ht-review-box">{children}</div>
      ) : reading.error ? (
        <ErrorState error={toDisplayError(reading.error)} onRetry={() => void reading.refetch()} />
      ) : (
        <Skeleton />
      )}
    </PageDrawer>
  );
}

const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-skeleton-line ht-review-skeleton" />
    ))}
  </div>
);

interface ActionsProps<Action extends string> {
  words: Readonly<Record<Action, ActionLabels>>;
  whyNot: (action: Action) => string | undefined;
  /** Whether a second person will be asked. */
  needsChecker?: (action: Action) => boolean;
  hints: Partial<Readonly<Record<NoInfer<Action>, string>>>;
  onAct: (action: Action) => void;
}

/** The buttons below a record, the first of them the usual one; each in its place, grey where it cannot be done. */
export function ReviewActions<Action extends string>({
  words,
  whyNot,
  needsChecker,
  hints,
  onAct,
}: ActionsProps<Action>) {
  return (Object.keys(words) as Action[]).map((action, index) => {
    const { verb, danger } = words[action];
    const why = whyNot(action);
    const hint = hints[action];
    return (
      <GreyedAction
        key={action}
        look="button"
        primary={index === 0}
        danger={danger}
        why={why}
        onClick={() => onAct(action)}
        {...(hint !== undefined && { hint })}
      >
        {why === undefined && needsChecker?.(action) ? `${verb}（提交复核）` : verb}
      </GreyedAction>
    );
  });
}
