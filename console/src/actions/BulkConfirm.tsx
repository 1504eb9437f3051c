import type { CallSpec, InputOf } from '@hengtai/contract/endpoint';
import type { BulkResult } from '@hengtai/contract/schema';
import { type Action, useAction } from '../api/hooks.ts';
import type { BulkLine } from '../ui/BulkResults.tsx';
import { type PageSum, pageSums } from '../ui/page-sums.ts';
import { BulkActionDialog } from './BulkActionDialog.tsx';

interface Row {
  id: number;
  userId: number;
}

interface Props<R extends Row> {
  call: CallSpec;
  /** Additional input of the call besides ids and reason. */
  extraInput?: object;
  invalidate: readonly CallSpec[];
  rows: readonly R[];
  title: string;
  /** Verb before the count on the button, for example `撤销`. */
  verb: string;
  /** Amounts of the rows that can be processed, shown large. */
  amount?: PageSum<R> & { note: string };
  disabledReasonOf: (row: R) => string | undefined;
  consequence: string;
  chips: readonly string[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Confirms cancelling or closing many orders: how many are possible, and the amounts released. */
export function BulkConfirm<R extends Row>({
  call,
  extraInput,
  invalidate,
  rows,
  verb,
  amount,
  disabledReasonOf,
  chips,
  ...dialog
}: Props<R>) {
  const { submit } = useAction(call, { invalidate }) as Action<InputOf<CallSpec>, BulkResult>;
  const possible = rows.filter((row) => disabledReasonOf(row) === undefined);
  const users = new Set(rows.map(({ userId }) => userId)).size;
  return (
    <BulkActionDialog
      {...dialog}
      verb={verb}
      danger
      amounts={
        amount && pageSums(possible, amount).map(({ coin, value }) => ({ value, unit: coin, note: amount.note }))
      }
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: `可${verb}`, value: `${possible.length} 条` },
        { label: `不可${verb}`, value: `${rows.length - possible.length} 条` },
      ]}
      ids={rows.map(({ id }) => id)}
      reasons={chips}
      submit={(input, key) => submit({ ...extraInput, ...input }, key)}
    />
  );
}
