import '../ui/case.css';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { faultOf } from '../api/fault.ts';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import { Reader } from '../ui/Reader.tsx';
import type { DeedWords } from '../ui/deeds.ts';
import { FaultState } from '../ui/list-states.tsx';

interface Props {
  id: number | undefined;
  /** What kind of record it is, in front of its number. */
  noun: string;
  state: ReactNode;
  /** In the queue: how many are left, this one included. */
  left: number | undefined;
  /** What can be done; absent until the record is there. */
  deeds: ReactNode;
  reading: { error: unknown; refetch: () => unknown };
  /** The record; absent until it is there. */
  children: ReactNode;
  onClose: () => void;
}

/** One record with everything needed to decide about it, in a drawer wide enough for all of it. */
export function CaseReader({ id, noun, state, left, deeds, reading, children, onClose }: Props) {
  return (
    <Reader
      open={id !== undefined}
      width="clamp(800px, 66vw, 1240px)"
      title={
        <span className="ht-case-head">
          {noun} #{id}
          {state}
        </span>
      }
      extra={left !== undefined && <span className="ht-case-left" role="status">{`审核队列 · 剩余 ${left} 条`}</span>}
      footer={
        deeds !== undefined && (
          <>
            {deeds}
            <span className="ht-case-gap" />
            <Button onClick={onClose}>{left === undefined ? '关闭' : '退出队列'}</Button>
          </>
        )
      }
      onClose={onClose}
    >
      {children ? (
        <div className="ht-case-box">{children}</div>
      ) : reading.error ? (
        <FaultState fault={faultOf(reading.error)} onRetry={() => void reading.refetch()} />
      ) : (
        <Bones />
      )}
    </Reader>
  );
}

const Bones = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-bone ht-case-bone" />
    ))}
  </div>
);

interface DeedsProps<Action extends string> {
  words: Readonly<Record<Action, DeedWords>>;
  whyNot: (action: Action) => string | undefined;
  /** Whether a second person will be asked. */
  second?: (action: Action) => boolean;
  hints: Partial<Readonly<Record<NoInfer<Action>, string>>>;
  onAct: (action: Action) => void;
}

/** The buttons below a record, the first of them the usual one; each in its place, grey where it cannot be done. */
export function CaseDeeds<Action extends string>({ words, whyNot, second, hints, onAct }: DeedsProps<Action>) {
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
        {why === undefined && second?.(action) ? `${verb}（提交复核）` : verb}
      </GreyedAction>
    );
  });
}
