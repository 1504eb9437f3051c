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
  /** Kind of record, shown before its number. */
  noun: string;
  state: ReactNode;
  /** Records left in the queue, including this one; undefined outside the queue. */
  left: number | undefined;
  /** Action buttons; absent until the record is loaded. */
  actions: ReactNode;
  query: { error: unknown; refetch: () => unknown };
  /** The content; absent until the record is loaded. */
  children: ReactNode;
  onClose: () => void;
}

/** A wide page drawer with everything needed to decide one record. */
export function ReviewDrawer({ id, noun, state, left, actions, query, children, onClose }: Props) {
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
      ) : query.error ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
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
  disabledReasonOf: (action: Action) => string | undefined;
  /** Whether the action needs a second person. */
  needsChecker?: (action: Action) => boolean;
  hints: Partial<Readonly<Record<NoInfer<Action>, string>>>;
  onAct: (action: Action) => void;
}

/** Action buttons of a record, the primary one first; impossible ones are greyed. */
export function ReviewActions<Action extends string>({
  words,
  disabledReasonOf,
  needsChecker,
  hints,
  onAct,
}: ActionsProps<Action>) {
  return (Object.keys(words) as Action[]).map((action, index) => {
    const { verb, danger } = words[action];
    const disabledReason = disabledReasonOf(action);
    const hint = hints[action];
    return (
      <GreyedAction
        key={action}
        look="button"
        primary={index === 0}
        danger={danger}
        disabledReason={disabledReason}
        onClick={() => onAct(action)}
        {...(hint !== undefined && { hint })}
      >
        {disabledReason === undefined && needsChecker?.(action) ? `${verb}（提交复核）` : verb}
      </GreyedAction>
    );
  });
}
