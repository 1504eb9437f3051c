import './review-drawer.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import type { Call } from '@hengtai/contract/wire/endpoint';
import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { Button } from 'antd';
import { type ReactNode, use, useState } from 'react';
import { NoteDialog } from '../actions/NoteDialog.tsx';
import { toDisplayError } from '../api/display-error.ts';
import { useRead } from '../api/hooks.ts';
import { useCan } from '../api/me.ts';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { type MoreAction, MoreActions } from '../ui/dialog/MoreActions.tsx';
import { StateTag, type Tone } from '../ui/value/StateTag.tsx';
import { Waited } from '../ui/value/Waited.tsx';
import { useKeys } from '../ui/browser/keys.ts';
import { Done, End, Nothing, Position, type ReviewFlow, Skeleton, moveKeys } from './review-flow.tsx';
import { CaseFrame, CasePageContext } from './CaseFrame.tsx';
import { type CasesByType, useBeside } from './beside.tsx';
import { BesideContext } from '../navigation/beside.ts';
import { QUEUE_NAME } from './QueueButton.tsx';
import { ClaimNote } from './ClaimNote.tsx';
import { TeamworkHistory } from './TeamworkHistory.tsx';
import { TeamworkMenu } from './TeamworkMenu.tsx';
import { useCanReview } from './can-review.ts';
import { type Claim, useClaim } from './claims.ts';
import type { ActionLabels } from '../ui/dialog/action-labels.ts';
import { CaseEndContext } from '../records/CaseLayout.tsx';
import { ErrorState } from '../ui/table/list-states.tsx';

/** How long a record that was loaded ahead is not loaded again while the one before it is open. */
const AHEAD_MS = 60_000;
/** Beside the menu, whose foot shows toasts. */
const WIDTH = 'min(82vw, 1480px, 100vw - 250px)';
const HINTS: Readonly<Record<string, string>> = { pass: 'A', reject: 'R' };
const NO_NOTES = `没有「${abilityLabels[ABILITY.users]}」权限`;

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
  /** Its kind in the review queues, on pages that decide. */
  type?: ReviewType;
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
  /** The cases that its links show beside it. */
  related: CasesByType;
  /** Absent on pages that do not decide, like `onAct`. */
  flow?: ReviewFlow | undefined;
  onAct?: ((action: Action, detail: D) => void) | undefined;
  children: (detail: D) => ReactNode;
  onClose: () => void;
}

/**
 * A wide drawer, or a page, with everything needed to decide one record. Its decisions are confirmed inside it; A passes, R
 * rejects, P postpones, N adds a note.
 */
export function ReviewDrawer<D extends Detail, Action extends string>(props: Props<D, Action>) {
  const { call, id, noun, type, disabledReasonOf, every, queueName = QUEUE_NAME, flow, onAct, onClose } = props;
  const beside = useBeside(id, props.related);
  const next = flow?.next;
  // While the drawer closes, it keeps showing the record.
  const [lastId, setLastId] = useState(id);
  if (id !== undefined && id !== lastId) setLastId(id);
  const isPage = use(CasePageContext);
  const shownId = flow?.end ? undefined : (id ?? (isPage ? undefined : lastId));
  const query = useRead(call, shownId === undefined ? undefined : { id: shownId }, {
    enabled: id !== undefined,
    staleTime: 5000,
    refetchMs: every ?? false,
  });
  const detail = shownId !== undefined && query.data?.row.id === shownId ? query.data : undefined;
  useRead(call, next === undefined ? undefined : { id: next }, { enabled: detail !== undefined, staleTime: AHEAD_MS });
  const canReview = useCanReview(type);
  const claim = useClaim(onAct && canReview ? type : undefined, id);
  const [noteOn, setNoteOn] = useState<{ id: number; account: string }>();
  const canNote = useCan(ABILITY.users);

  const act = (action: Action) => {
    if (detail && !flow?.isMoving && disabledReasonOf(action, detail) === undefined) onAct?.(action, detail);
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
      // In a drawer the keys of the list move it.
      ...(isPage && moveKeys(flow)),
      ...(detail && props.moreKeys?.(detail)),
    },
    id !== undefined,
  );

  return (
    <CaseFrame
      id={shownId}
      open={id !== undefined || flow?.end !== undefined}
      width={WIDTH}
      title={flow?.end ? `${noun} · ${queueName}` : <Heading {...props} id={shownId} detail={detail} claim={claim} />}
      extra={flow && <Position flow={flow} queueName={queueName} />}
      footer={
        (detail ?? flow?.end ?? isPage) && (
          <div className="ht-lists-review-feet">
            <div ref={flow?.onPlace} className="ht-lists-review-place" />
            <div className="ht-lists-review-foot">
              {detail && <Actions {...props} detail={detail} onAction={act} />}
              {flow?.onPostpone && (
                <ActionButton hint="P" onClick={flow.onPostpone}>
                  稍后处理
                </ActionButton>
              )}
              {detail && props.renderFootNote?.(detail)}
              <Done flow={flow} id={id} />
              {detail && <Impossible {...props} detail={detail} canNote={canNote} />}
              {detail && type && canReview && (
                <TeamworkMenu type={type} id={detail.row.id} isWaiting={claim?.answer?.waiting ?? false} />
              )}
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
      beside={beside.drawer}
      onClose={onClose}
    >
      {flow?.end ? (
        <End name={queueName} isEmpty={flow.end.isEmpty} closes={!isPage} />
      ) : isPage && shownId === undefined ? (
        flow?.left === undefined ? (
          <Nothing />
        ) : (
          <End name={queueName} isEmpty={flow.left === 0} closes={false} />
        )
      ) : detail ? (
        <CaseEndContext value={type && <TeamworkHistory type={type} id={detail.row.id} />}>
          <BesideContext value={beside.show}>{props.children(detail)}</BesideContext>
        </CaseEndContext>
      ) : query.error ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton />
      )}
      {noteOn && <NoteDialog id={noteOn.id} account={noteOn.account} onClose={() => setNoteOn(undefined)} />}
    </CaseFrame>
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
  claim,
  renderHead,
}: Props<D, Action> & { detail: D | undefined; claim: Claim | undefined }) {
  // The page of a case has a heading of its own around it.
  const Tag = use(CasePageContext) ? 'span' : 'h2';
  return (
    <Tag className="ht-lists-review-head">
      {noun}
      {id !== undefined && ` #${id}`}
      {detail && <StateTag state={detail.row.state} labels={states} tones={tones} />}
      {detail?.row.state === waiting && <Waited since={detail.row.createdAt} target={detail.target} />}
      {detail && renderHead?.(detail)}
      <ClaimNote claim={claim} />
    </Tag>
  );
}

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
