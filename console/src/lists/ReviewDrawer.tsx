import '../ui/review.css';
import type { Call } from '@hengtai/contract/endpoint';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { useRead } from '../api/hooks.ts';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import { StateTag, type Tone } from '../ui/StateTag.tsx';
import { useKeys } from '../ui/keys.ts';
import { PageDrawer } from '../ui/PageDrawer.tsx';
import type { ActionLabels } from '../ui/action-labels.ts';
import { ErrorState } from '../ui/list-states.tsx';

/** How long a record that was loaded ahead is not loaded again while the one before it is open. */
const AHEAD_MS = 60_000;
const HINTS: Readonly<Record<string, string>> = { pass: 'A', reject: 'R' };

interface Props<Detail, Action extends string> {
  /** Reads the record with everything needed to decide it. */
  call: Call<{ id: number }, Detail>;
  id: number | undefined;
  /** Kind of record, shown before its number. */
  noun: string;
  states: Readonly<Record<number, string>>;
  tones: Readonly<Record<number, Tone>>;
  words: Readonly<Record<Action, ActionLabels>>;
  disabledReasonOf: (action: Action, detail: Detail) => string | undefined;
  /** Whether the action needs a second person. */
  needsChecker?: (action: Action, detail: Detail) => boolean;
  /** Keys besides A and R. */
  moreKeys?: (detail: Detail) => Readonly<Record<string, () => void>>;
  /** Content after the state in the heading, and after the buttons. */
  renderHead?: (detail: Detail) => ReactNode;
  renderFootNote?: (detail: Detail) => ReactNode;
  width?: number | string;
  /** Milliseconds between silent refetches. */
  every?: number;
  queueName?: string;
  /** Records left in the queue, including this one; undefined outside the queue. */
  left: number | undefined;
  /** The record that follows in the queue; it is loaded ahead. */
  next?: number | undefined;
  /** Absent on pages that do not decide. */
  onAct?: ((action: Action, detail: Detail) => void) | undefined;
  children: (detail: Detail) => ReactNode;
  onClose: () => void;
}

/** A wide page drawer with everything needed to decide one record. The keys A (pass) and R (reject) open the dialog. */
export function ReviewDrawer<Detail extends { row: { id: number; state: number } }, Action extends string>({
  call,
  id,
  noun,
  states,
  tones,
  words,
  disabledReasonOf,
  needsChecker,
  moreKeys,
  renderHead,
  renderFootNote,
  width = 'clamp(800px, 66vw, 1240px)',
  every,
  queueName = '审核队列',
  left,
  next,
  onAct,
  children,
  onClose,
}: Props<Detail, Action>) {
  const query = useRead(call, { id: id ?? 0 }, { enabled: id !== undefined, staleTime: 5000, every: every ?? false });
  const detail = query.data?.row.id === id ? query.data : undefined;
  useRead(call, { id: next ?? 0 }, { enabled: next !== undefined && detail !== undefined, staleTime: AHEAD_MS });
  const act = (action: Action) => {
    if (detail && disabledReasonOf(action, detail) === undefined) onAct?.(action, detail);
  };
  useKeys(
    { a: () => act('pass' as Action), r: () => act('reject' as Action), ...(detail && moreKeys?.(detail)) },
    id !== undefined,
  );

  return (
    <PageDrawer
      open={id !== undefined}
      width={width}
      title={
        <span className="ht-review-head">
          {noun} #{id}
          {detail && <StateTag state={detail.row.state} labels={states} tones={tones} />}
          {detail && renderHead?.(detail)}
        </span>
      }
      extra={
        left !== undefined && <span className="ht-review-left" role="status">{`${queueName} · 剩余 ${left} 条`}</span>
      }
      footer={
        detail && (
          <>
            {onAct && (
              <ReviewActions
                words={words}
                disabledReasonOf={(action) => disabledReasonOf(action, detail)}
                needsChecker={(action) => needsChecker?.(action, detail) ?? false}
                onAct={act}
              />
            )}
            {renderFootNote?.(detail)}
            <span className="ht-review-gap" />
            <Button onClick={onClose}>{left === undefined ? '关闭' : '退出队列'}</Button>
          </>
        )
      }
      onClose={onClose}
    >
      {detail ? (
        <div className="ht-review-box">{children(detail)}</div>
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
  needsChecker: (action: Action) => boolean;
  onAct: (action: Action) => void;
}

/** Action buttons of a record, the primary one first; impossible ones are greyed. */
function ReviewActions<Action extends string>({ words, disabledReasonOf, needsChecker, onAct }: ActionsProps<Action>) {
  return (Object.keys(words) as Action[]).map((action, index) => {
    const { verb, danger } = words[action];
    const disabledReason = disabledReasonOf(action);
    const hint = HINTS[action];
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
        {disabledReason === undefined && needsChecker(action) ? `${verb}（提交复核）` : verb}
      </GreyedAction>
    );
  });
}
