import type { CallSpec, InputOf } from '@hengtai/contract/wire/endpoint';
import { BULK_MAX } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { settle } from '../api/display-error.ts';
import { type Action, newKey, useAction } from '../api/hooks.ts';
import type { BulkLine } from '../ui/dialog/BulkResults.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/dialog/ConfirmDialog.tsx';
import { type RowSum, rowSums } from '../ui/table/page-sums.ts';
import { SigningNote } from './SigningNote.tsx';
import { type SigningTarget, useSigning } from './use-signing.ts';

export interface BulkDialogProps<Row extends { id: number }> extends Pick<
  ConfirmDialogProps,
  'title' | 'details' | 'danger' | 'consequence' | 'blocked' | 'children'
> {
  call: CallSpec;
  /** Additional input of the call besides ids and reason. */
  input?: object;
  rows: readonly Row[];
  /** Verb before the count on the button, for example `撤销`. */
  verb: string;
  /** Text of the button if it is not the verb with the count. */
  confirmText?: string;
  /** Counting unit: 条, or 位 for people. */
  unit?: '条' | '位';
  /** Amounts of the rows, shown large. */
  sum?: RowSum<Row> & { note?: string };
  /** The rows that are summed up, if not all. */
  summedRows?: readonly Row[];
  /** What the operator signs before the call, while payouts need signatures. */
  signs?: SigningTarget['action'];
  /** Suggested reasons; those of the action by default. */
  reasons?: readonly string[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Level 3: a bulk action. The operator types the count and gives a reason; each record has its own result. */
export function BulkDialog<Row extends { id: number }>({
  call,
  input,
  rows,
  verb,
  confirmText,
  unit = '条',
  sum,
  summedRows = rows,
  reasons = call.reasons ?? [],
  blocked,
  signs,
  children,
  onDone,
  ...dialog
}: BulkDialogProps<Row>) {
  const { submit } = useAction(call) as Action<InputOf<CallSpec>, BulkResult>;
  const count = rows.length;
  const ids = rows.map(({ id }) => id);
  const signing = useSigning(signs && count <= BULK_MAX ? { ids, action: signs } : undefined);

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      await signing.sign();
      const outcome = await submit({ ...input, ids, reason }, key);
      onDone(outcome.kind === 'done' ? outcome.data.results : []);
    });
    if (error && signs && error.kind !== 'unknown') void signing.reset();
    return error;
  }

  return (
    <ConfirmDialog
      {...dialog}
      verb={confirmText ?? `${verb} ${count} ${unit}`}
      amounts={
        sum &&
        rowSums(summedRows, sum).map(({ coin, value }) => ({ value, unit: coin, ...(sum.note && { note: sum.note }) }))
      }
      blocked={count > BULK_MAX ? `一次最多 ${BULK_MAX} ${unit}` : (blocked ?? signing.problem)}
      reason={{ required: true, chips: reasons }}
      challenge={{ label: unit === '位' ? '请输入人数以确认' : '请输入条数以确认', expect: String(count) }}
      makeKey={newKey}
      run={run}
    >
      {signing.isDue ? (
        <>
          {children}
          <SigningNote signing={signing} />
        </>
      ) : (
        children
      )}
    </ConfirmDialog>
  );
}

interface OrdersProps<Row extends { id: number; userId: number }> extends Omit<
  BulkDialogProps<Row>,
  'details' | 'danger'
> {
  disabledReasonOf: (row: Row) => string | undefined;
}

/** Cancels or closes many orders: how many are possible, and the amounts released. */
export function OrderBulkDialog<Row extends { id: number; userId: number }>({
  disabledReasonOf,
  ...props
}: OrdersProps<Row>) {
  const { rows, verb } = props;
  const possible = rows.filter((row) => disabledReasonOf(row) === undefined);
  return (
    <BulkDialog
      {...props}
      danger
      summedRows={possible}
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${countUsers(rows)} 位` },
        { label: `可${verb}`, value: `${possible.length} 条` },
        { label: `不可${verb}`, value: `${rows.length - possible.length} 条` },
      ]}
    />
  );
}

export const countUsers = (rows: readonly { userId: number }[]): number =>
  new Set(rows.map(({ userId }) => userId)).size;
