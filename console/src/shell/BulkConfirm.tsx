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
  /** What the call takes beside the ids and the reason. */
  also?: object;
  stale: readonly CallSpec[];
  rows: readonly R[];
  title: string;
  /** `撤销`, written before the count on the button. */
  verb: string;
  /** Of those that it will concern, in large type. */
  amount?: PageSum<R> & { note: string };
  whyNot: (row: R) => string | undefined;
  consequence: string;
  chips: readonly string[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Many orders cancelled or closed at once: how many can be, and what is freed. */
export function BulkConfirm<R extends Row>({
  call,
  also,
  stale,
  rows,
  verb,
  amount,
  whyNot,
  chips,
  ...dialog
}: Props<R>) {
  const { submit } = useAction(call, { invalidate: stale }) as Action<InputOf<CallSpec>, BulkResult>;
  const open = rows.filter((row) => whyNot(row) === undefined);
  const users = new Set(rows.map(({ userId }) => userId)).size;
  return (
    <BulkActionDialog
      {...dialog}
      verb={verb}
      danger
      amounts={amount && pageSums(open, amount).map(({ coin, value }) => ({ value, unit: coin, note: amount.note }))}
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: `可${verb}`, value: `${open.length} 条` },
        { label: `不可${verb}`, value: `${rows.length - open.length} 条` },
      ]}
      ids={rows.map(({ id }) => id)}
      reasons={chips}
      submit={(input, key) => submit({ ...also, ...input }, key)}
    />
  );
}
