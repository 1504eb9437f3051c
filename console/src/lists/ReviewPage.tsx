import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { type ReviewQueueKey, reviewQueues } from '@hengtai/contract/desk/queue/work-queue';
import { Button } from 'antd';
import type { ComponentType, ReactNode } from 'react';
import type { List } from './list.ts';
import { useQueue } from './queue.ts';
import { BulkDialog, type BulkDialogProps } from '../actions/BulkDialog.tsx';
import type { DetailItem } from '../ui/dialog/ConfirmDialog.tsx';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { useKeys } from '../ui/browser/keys.ts';
import type { Column } from '../ui/table/columns.ts';
import type { ActionLabels } from '../ui/dialog/action-labels.ts';
import type { CoinSum } from '../ui/table/list-view.ts';
import type { EmptyWords } from '../ui/table/list-states.tsx';
import type { RowSum } from '../ui/table/page-sums.ts';
import { type DialogRequest, useDecision } from './decision.tsx';
import { ReviewListFrame } from './ReviewListFrame.tsx';
import { QUEUE_NAME, QueueButton, queueNote } from './QueueButton.tsx';
import type { ReviewFlow } from './review-flow.tsx';
import { DECISION_KEYS, QUEUE_KEY } from './review-keys.ts';
import { CasePageContext } from './CaseFrame.tsx';
import { useCasePlace } from './case-place.ts';
import { closeTab } from '../navigation/close-tab.ts';
import { usePageRoute } from '../navigation/page-route.ts';
import { useBulkAction } from '../actions/use-bulk-action.tsx';

interface ReviewRow {
  id: number;
  account: string | null;
  state: number;
}

/** What the dialog of a bulk action says and calls. */
export interface ReviewBulk<Row extends { id: number }> {
  call: CallSpec;
  reasons?: readonly string[];
  /** What the operator signs before the call, while payouts need signatures. */
  signs?: 'pass';
  consequence: string;
  /** Amounts of the rows, shown large. */
  sum?: RowSum<Row> & { note?: string };
  /** Asks for more than the reason. The action is then offered only if it is possible for a selected row. */
  Dialog?: ComponentType<BulkDialogProps<Row>>;
}

/** Parameters of the review drawer. */
export interface DrawerRequest<Row, Action> {
  id: number | undefined;
  hasAbility: boolean;
  flow: ReviewFlow;
  onAct: (action: Action, row: Row) => void;
  onClose: () => void;
}

/** The buttons of a row. */
const DECISIONS = ['pass', 'reject'] as const;
type Decision = (typeof DECISIONS)[number];

interface Props<Row extends ReviewRow, Sum, F, Action extends string> {
  /** What an empty list says about where its records come from. */
  emptyHint: string;
  /** Title of the empty list of undecided records. */
  noneWaiting: string;
  list: List<Row, Sum, F>;
  columns: readonly Column<Row>[];
  sums?: readonly { field: keyof Sum & string; label: string }[];
  /** Target type of the approvals marked on rows; absent if no action needs a second person. */
  targetType?: string;
  /** The queue that the page works through. */
  queueKey: ReviewQueueKey;
  /** State of undecided rows; `filtersQueue` is false if the list contains only those. */
  waiting: number;
  filtersQueue?: boolean;
  queueName?: string;
  /** Buttons of the page before that of the queue. */
  tools?: ReactNode;
  hasAbility: boolean;
  noAbility: string;
  words: Readonly<Record<Action, ActionLabels>>;
  bulk?: Readonly<Partial<Record<Action, ReviewBulk<Row>>>>;
  /** What the dialog of a bulk action says about its rows, besides their number and how many cannot be processed. */
  bulkDetails?: (rows: readonly Row[]) => readonly DetailItem[];
  disabledReasonOf: (action: Action, row: Row, hasAbility: boolean) => string | undefined;
  moreKeys?: readonly { keys: string[]; what: string }[];
  /** Extra actions of a row after 通过 and 驳回. */
  renderActions?: (row: Row, onAct: (action: Action) => void) => ReactNode;
  renderDrawer: (request: DrawerRequest<Row, Action>) => ReactNode;
  renderDialog: (request: DialogRequest<Row, Action>) => ReactNode;
}

const shortcutsWith = (moreKeys: readonly { keys: string[]; what: string }[]) => [
  QUEUE_KEY,
  ...Object.values(DECISION_KEYS).slice(0, 3),
  ...moreKeys,
  ...Object.values(DECISION_KEYS).slice(3),
];

/** A list of records to decide: table, review drawer, dialogs and the queue through undecided records. */
export function ReviewPage<Row extends ReviewRow, Sum extends CoinSum, F, Action extends string = Decision>({
  list,
  queueKey,
  waiting,
  filtersQueue = true,
  queueName = QUEUE_NAME,
  tools,
  hasAbility,
  noAbility,
  noneWaiting,
  words,
  bulk,
  bulkDetails,
  disabledReasonOf,
  moreKeys = [],
  renderActions,
  renderDrawer,
  renderDialog,
  ...frame
}: Props<Row, Sum, F, Action | Decision>) {
  const { isCasePage, opensPage, openCase } = useCasePlace();
  const { key } = usePageRoute();
  const queue = useQueue({
    queueKey,
    rows: list.rows,
    left: list.total,
    isElsewhere: opensPage,
  });
  const show = opensPage ? openCase : queue.show;
  const decision = useDecision<Row, Action | Decision>(queue);
  const bulkAction = useBulkAction<Row, Action | Decision>(list, (action) => `批量${words[action].verb}`);
  const disabledReason = hasAbility ? undefined : noAbility;

  // The queue is all that waits for the operator, so the list shows just that.
  const startQueue = () =>
    list.choose(
      { filters: filtersQueue ? { state: waiting } : {}, sort: 'createdAt' },
      { queue: '1', open: undefined },
    );

  const leave = isCasePage ? () => closeTab(key) : decision.closeRecord;
  useKeys({ q: () => (queue.queue ? leave() : startQueue()) }, hasAbility);

  const isOffered = (action: Action | Decision, rows: readonly Row[]) =>
    !bulk?.[action]?.Dialog || rows.some((row) => disabledReasonOf(action, row, true) === undefined);

  const renderBulkDialog = ({ action, rows }: { action: Action | Decision; rows: readonly Row[] }) => {
    const own: ReviewBulk<Row> | undefined = bulk?.[action];
    if (!own) return null;
    const { Dialog = BulkDialog, ...dialog } = own;
    const { short, verb, danger } = words[action];
    const disabledCount = rows.filter((row) => disabledReasonOf(action, row, true) !== undefined).length;
    return (
      <Dialog
        {...dialog}
        title={`批量${verb}`}
        verb={verb}
        danger={danger}
        details={[
          { label: '条数', value: `${rows.length} 条` },
          ...(bulkDetails?.(rows) ?? []),
          { label: `不可${short}`, value: `${disabledCount} 条` },
        ]}
        rows={rows}
        onClose={bulkAction.onClose}
        onDone={bulkAction.onDone}
      />
    );
  };

  const drawer = renderDrawer({
    id: opensPage ? undefined : queue.open,
    hasAbility,
    flow: decision.flow,
    onAct: (action, row) => decision.ask(action, row, true),
    onClose: leave,
  });
  if (isCasePage) {
    return (
      <CasePageContext value>
        {drawer}
        {decision.renderDialog(renderDialog)}
      </CasePageContext>
    );
  }

  return (
    <ReviewListFrame
      {...frame}
      reviewType={reviewQueues[queueKey].type}
      list={list}
      note={queueNote(queueName, queue)}
      tools={
        <>
          {tools}
          <QueueButton
            queue={queue}
            name={queueName}
            disabledReason={disabledReason}
            onStart={startQueue}
            onStop={queue.close}
          />
        </>
      }
      emptyWords={emptyWordsOf(list, noneWaiting, filtersQueue ? waiting : undefined)}
      openId={queue.open}
      onOpen={(row) => show(row.id)}
      shortcuts={shortcutsWith(moreKeys)}
      actions={{
        width: renderActions ? 144 : 132,
        open: '详情',
        render: (row) => (
          <>
            {DECISIONS.map((action) => (
              <GreyedAction
                key={action}
                danger={words[action].danger}
                disabledReason={disabledReasonOf(action, row, hasAbility)}
                onClick={() => decision.ask(action, row)}
              >
                {words[action].short}
              </GreyedAction>
            ))}
            {renderActions?.(row, (action) => decision.ask(action, row))}
          </>
        ),
      }}
      {...(bulk && {
        bulk: (rows: readonly Row[]) =>
          (Object.keys(bulk) as (Action | Decision)[])
            .filter((action) => isOffered(action, rows))
            .map((action) => (
              <GreyedAction
                key={action}
                look="button"
                danger={words[action].danger}
                disabledReason={disabledReason}
                onClick={() => bulkAction.ask(action, rows)}
              >
                批量{words[action].short}
              </GreyedAction>
            )),
      })}
    >
      {drawer}
      {decision.renderDialog(renderDialog)}
      {bulkAction.request && renderBulkDialog(bulkAction.request)}
      {bulkAction.results}
    </ReviewListFrame>
  );
}

/** What the list says when it shows all undecided records, nothing else, and there are none. */
function emptyWordsOf<Row, Sum, F>(
  { state, reset }: List<Row, Sum, F>,
  title: string,
  waiting: number | undefined,
): EmptyWords | undefined {
  const { state: shown, ...others } = state.filters as Readonly<Record<string, unknown>>;
  const isLimited = Object.keys(others).length > 0 || (state.from ?? state.to) !== undefined;
  if (shown !== waiting || isLimited) return undefined;
  return waiting === undefined ? { title } : { title, action: <Button onClick={reset}>查看已处理的记录</Button> };
}
