import '../ui/review.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import type { Call } from '@hengtai/contract/endpoint';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { NoteDialog } from '../actions/NoteDialog.tsx';
import { toDisplayError } from '../api/display-error.ts';
import { useRead } from '../api/hooks.ts';
import { useCan } from '../api/me.ts';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import { type MoreAction, MoreActions } from '../ui/MoreActions.tsx';
import { StateTag, type Tone } from '../ui/StateTag.tsx';
import { Waited } from '../ui/Waited.tsx';
import { useKeys } from '../ui/keys.ts';
import { PageDrawer } from '../ui/PageDrawer.tsx';
import type { ActionLabels } from '../ui/action-labels.ts';
import { ErrorState } from '../ui/list-states.tsx';

/** How long a record that was loaded ahead is not loaded again while the one before it is open. */
const AHEAD_MS = 60_000;
/** Beside the menu, whose foot shows toasts. */
const WIDTH = 'min(82vw, 1480px, 100vw - 250px)';
const HINTS: Readonly<Record<string, string>> = { pass: 'A', reject: 'R' };
const NO_NOTES = `没有「${abilityLabels[ABILITY.users]}」权限`;

/** The way of a record through the review of its list. */
export interface ReviewFlow {
  /** Records left in the queue, including this one; undefined outside the queue. */
  left: number | undefined;
  /** The record that follows in the queue; it is loaded ahead. */
  next: number | undefined;
  /** The rows next to the record in the list. */
  above: number | undefined;
  below: number | undefined;
  /** The last record of the queue was just decided; `isEmpty` is false while more are loading. */
  end: { isEmpty: boolean } | undefined;
  /** What the operator did last. */
  done: { id: number; text: string } | undefined;
  /** Receives the place of the dialogs of this record. */
  onPlace: (element: HTMLElement | null) => void;
  onShow: (id: number) => void;
  /** Puts the record behind the others; absent if there are none. */
  onPostpone: (() => void) | undefined;
}

interface Detail {
  row: { id: number; state: number; createdAt: number };
  /** Target waiting time in minutes. */
  target: number;
  user?: { id: number; account: string } | null;
}

interface Props<D, Action extends string> {
  /** Reads the record with everything needed to decide it. */
  call: Call<{ id: number }, D>;
  id: number | undefined;
  /** Kind of record, shown before its number. */
  noun: string;
  states: Readonly<Record<number, string>>;
  tones: Readonly<Record<number, Tone>>;
  /** State of undecided records, which shows how long they have waited. */
  waiting: number;
  words: Readonly<Record<Action, ActionLabels>>;
  disabledReasonOf: (action: Action, detail: D) => string | undefined;
  /** Whether the action needs a second person. */
  needsChecker?: (action: Action, detail: D) => boolean;
  /** Keys besides those of the review. */
  moreKeys?: (detail: D) => Readonly<Record<string, () => void>>;
  /** Content after the state in the heading, and after the buttons. */
  renderHead?: (detail: D) => ReactNode;
  renderFootNote?: (detail: D) => ReactNode;
  /** Milliseconds between silent refetches. */
  every?: number;
  queueName?: string;
  /** Absent on pages that do not decide, like `onAct`. */
  flow?: ReviewFlow | undefined;
  onAct?: ((action: Action, detail: D) => void) | undefined;
  children: (detail: D) => ReactNode;
  onClose: () => void;
}

/**
 * A wide page drawer with everything needed to decide one record. Its decisions are confirmed inside it; A passes, R
 * rejects, P postpones, N adds a note.
 */
export function ReviewDrawer<D extends Detail, Action extends string>(props: Props<D, Action>) {
  const { call, id, noun, disabledReasonOf, every, queueName = '审核队列', flow, onAct, onClose } = props;
  const next = flow?.next;
  // While the drawer closes, it keeps showing the record.
  const [lastId, setLastId] = useState(id);
  if (id !== undefined && id !== lastId) setLastId(id);
  const shownId = flow?.end ? undefined : (id ?? lastId);
  const query = useRead(
    call,
    { id: shownId ?? 0 },
    { enabled: id !== undefined, staleTime: 5000, every: every ?? false },
  );
  const detail = shownId !== undefined && query.data?.row.id === shownId ? query.data : undefined;
  useRead(call, { id: next ?? 0 }, { enabled: next !== undefined && detail !== undefined, staleTime: AHEAD_MS });
  const [noteOn, setNoteOn] = useState<{ id: number; account: string }>();
  const canNote = useCan(ABILITY.users);

  const act = (action: Action) => {
    if (detail && disabledReasonOf(action, detail) === undefined) onAct?.(action, detail);
  };
  const addNote = () => {
    if (canNote && detail?.user) setNoteOn(detail.user);
  };
  useKeys(
    {
      a: () => act('pass' as Action),
      r: () => act('reject' as Action),
      p: () => flow?.onPostpone?.(),
      n: addNote,
      ...(detail && props.moreKeys?.(detail)),
    },
    id !== undefined,
  );

  return (
    <PageDrawer
      open={id !== undefined || flow?.end !== undefined}
      width={WIDTH}
      title={flow?.end ? `${noun} · ${queueName}` : <Heading {...props} id={shownId} detail={detail} />}
      extra={flow && <Position flow={flow} queueName={queueName} />}
      footer={
        (detail ?? flow?.end) && (
          <div className="ht-review-feet">
            <div ref={flow?.onPlace} className="ht-review-place" />
            <div className="ht-review-foot">
              {detail && <Actions {...props} detail={detail} onAction={act} />}
              {flow?.onPostpone && (
                <ActionButton hint="P" onClick={flow.onPostpone}>
                  稍后处理
                </ActionButton>
              )}
              {detail && props.renderFootNote?.(detail)}
              <Done flow={flow} id={id} />
              {detail && <Impossible {...props} detail={detail} canNote={canNote} />}
              {detail?.user && canNote && (
                <ActionButton hint="N" onClick={addNote}>
                  备注
                </ActionButton>
              )}
              <Button onClick={onClose}>{flow?.left === undefined ? '关闭' : '退出队列'}</Button>
            </div>
          </div>
        )
      }
      onClose={onClose}
    >
      {flow?.end ? (
        <End name={queueName} isEmpty={flow.end.isEmpty} />
      ) : detail ? (
        props.children(detail)
      ) : query.error ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton />
      )}
      {noteOn && (
        <NoteDialog id={noteOn.id} account={noteOn.account} invalidate={call} onClose={() => setNoteOn(undefined)} />
      )}
    </PageDrawer>
  );
}

const actionsOf = <D extends Detail, Action extends string>({ words, onAct }: Props<D, Action>) =>
  (onAct ? Object.keys(words) : []) as Action[];

/** The actions that are possible now, the first one primary. */
function Actions<D extends Detail, Action extends string>(
  props: Props<D, Action> & { detail: D; onAction: (action: Action) => void },
) {
  const { detail, words, disabledReasonOf, needsChecker, onAction } = props;
  return actionsOf(props)
    .filter((action) => disabledReasonOf(action, detail) === undefined)
    .map((action, index) => (
      <ActionButton
        key={action}
        isFirst={index === 0}
        hint={HINTS[action]}
        danger={words[action].danger}
        onClick={() => onAction(action)}
      >
        {needsChecker?.(action, detail) ? `${words[action].verb}（提交复核）` : words[action].verb}
      </ActionButton>
    ));
}

/** The actions that are not possible now, with their reasons. */
function Impossible<D extends Detail, Action extends string>(
  props: Props<D, Action> & { detail: D; canNote: boolean },
) {
  const { detail, words, disabledReasonOf, canNote } = props;
  const actions: MoreAction[] = actionsOf(props).flatMap((action) => {
    const disabledReason = disabledReasonOf(action, detail);
    return disabledReason === undefined ? [] : [{ key: action, label: words[action].verb, disabledReason }];
  });
  if (detail.user && !canNote) actions.push({ key: 'note', label: '添加备注', disabledReason: NO_NOTES });
  if (actions.length === 0) return null;
  return <MoreActions label="其余操作" text="其余操作" actions={actions} onAction={() => undefined} />;
}

function Heading<D extends Detail, Action extends string>({
  id,
  detail,
  noun,
  states,
  tones,
  waiting,
  renderHead,
}: Props<D, Action> & { detail: D | undefined }) {
  return (
    <span className="ht-review-head">
      {noun} #{id}
      {detail && <StateTag state={detail.row.state} labels={states} tones={tones} />}
      {detail?.row.state === waiting && <Waited since={detail.row.createdAt} target={detail.target} />}
      {detail && renderHead?.(detail)}
    </span>
  );
}

/** What is left of the queue, and the records before and after this one. */
const Position = ({ flow, queueName }: { flow: ReviewFlow; queueName: string }) => (
  <span className="ht-review-extra">
    {flow.left !== undefined && !flow.end && (
      <span className="ht-review-left" role="status">{`${queueName} · 剩余 ${flow.left} 条`}</span>
    )}
    {!flow.end &&
      (
        [
          ['上一条', '↑', flow.above],
          ['下一条', '↓', flow.below],
        ] as const
      ).map(([word, key, id]) => (
        <Button key={word} size="small" disabled={id === undefined} onClick={() => id !== undefined && flow.onShow(id)}>
          {word}
          <kbd className="ht-kbd">{key}</kbd>
        </Button>
      ))}
  </span>
);

/** What was done last, with a link to it unless it is open. */
const Done = ({ flow, id }: { flow: ReviewFlow | undefined; id: number | undefined }) => {
  const done = flow?.done;
  return (
    <p className="ht-review-done" role="status">
      {done && (
        <>
          <span title={done.text}>{done.text}</span>
          {done.id !== id && (
            <Button type="link" size="small" onClick={() => flow.onShow(done.id)}>
              查看
            </Button>
          )}
        </>
      )}
    </p>
  );
};

const End = ({ name, isEmpty }: { name: string; isEmpty: boolean }) => (
  <div className="ht-review-end" role="status">
    <b>{isEmpty ? `${name}已清空` : '正在载入下一条'}</b>
    {isEmpty && <span>没有等待处理的记录了，本页即将关闭；有新的记录时会自动打开。</span>}
  </div>
);

const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-skeleton-line ht-review-skeleton" />
    ))}
  </div>
);

interface ButtonProps {
  children: ReactNode;
  hint?: string | undefined;
  isFirst?: boolean;
  danger?: boolean;
  onClick: () => void;
}

const ActionButton = ({ hint, isFirst = false, danger = false, ...props }: ButtonProps) => (
  <GreyedAction
    look="button"
    primary={isFirst && !danger}
    danger={danger}
    disabledReason={undefined}
    {...(hint !== undefined && { hint })}
    {...props}
  />
);
