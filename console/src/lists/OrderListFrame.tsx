import type { CoinSum } from '../ui/table/list-view.ts';
import type { ReactNode } from 'react';
import { type BulkDialogProps, OrderBulkDialog } from '../actions/BulkDialog.tsx';
import { useBulkAction } from '../actions/use-bulk-action.tsx';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { ListFrame, type ListFrameProps } from './ListFrame.tsx';

interface Order {
  id: number;
  userId: number;
  account: string;
}

interface Props<Row extends Order, Sum, F> extends Omit<
  ListFrameProps<Row, Sum, F>,
  'actions' | 'bulk' | 'onOpen' | 'openId'
> {
  /** Width of the actions column, in pixels. */
  actionsWidth: number;
  /** Further actions of a row and of selected rows. */
  renderRowActions?: (row: Row) => ReactNode;
  bulkActions?: (rows: readonly Row[]) => readonly ReactNode[];
  /** The action that ends an order. */
  end: {
    label: (row: Row) => string;
    /** Why the operator cannot end any order. */
    disabledReason: string | undefined;
    disabledReasonOf: (row: Row) => string | undefined;
    ask: (row: Row) => void;
    bulkLabel: string;
    bulk: Pick<BulkDialogProps<Row>, 'call' | 'title' | 'verb' | 'sum' | 'consequence'>;
  };
}

/** A list of orders that operators can end, one at a time or many at once. */
export function OrderListFrame<Row extends Order, Sum extends CoinSum, F>(props: Props<Row, Sum, F>) {
  const { actionsWidth, renderRowActions, bulkActions, end, children, ...frame } = props;
  const bulk = useBulkAction<Row, 'end'>(frame.list, () => end.bulk.title);
  return (
    <ListFrame
      {...frame}
      onOpen={frame.list.open}
      actions={{
        width: actionsWidth,
        open: '详情',
        render: (row) => (
          <>
            {renderRowActions?.(row)}
            <GreyedAction
              danger
              disabledReason={end.disabledReason ?? end.disabledReasonOf(row)}
              onClick={() => end.ask(row)}
            >
              {end.label(row)}
            </GreyedAction>
          </>
        ),
      }}
      bulk={(rows) => [
        ...(bulkActions?.(rows) ?? []),
        <GreyedAction
          key="end"
          look="button"
          danger
          disabledReason={end.disabledReason}
          onClick={() => bulk.ask('end', rows)}
        >
          {end.bulkLabel}
        </GreyedAction>,
      ]}
    >
      {children}
      {bulk.request && (
        <OrderBulkDialog
          {...end.bulk}
          rows={bulk.request.rows}
          disabledReasonOf={end.disabledReasonOf}
          onClose={bulk.onClose}
          onDone={bulk.onDone}
        />
      )}
      {bulk.results}
    </ListFrame>
  );
}
