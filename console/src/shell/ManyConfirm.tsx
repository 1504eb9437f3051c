import type { CallSpec } from '@hengtai/contract/endpoint';
import { BULK_MAX } from '@hengtai/contract/list';
import type { BulkResult } from '@hengtai/contract/schema';
import { settle } from '../api/fault.ts';
import { newKey, useAction } from '../api/hooks.ts';
import type { BulkLine } from '../ui/BulkResults.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { type PageSum, pageSums } from '../ui/page-sums.ts';

interface Row {
  id: number;
  userId: number;
}

interface Props<R extends Row> {
  call: CallSpec;
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

/** Level 3: many orders at once. The count is typed and a reason given; each order has its own outcome. */
export function ManyConfirm<R extends Row>({ call, stale, rows, title, verb, amount, ...props }: Props<R>) {
  const { submit } = useAction(call, { invalidate: stale });
  const open = rows.filter((row) => props.whyNot(row) === undefined);
  const users = new Set(rows.map(({ userId }) => userId)).size;

  async function run(reason: string, key: string) {
    let results: readonly BulkLine[] = [];
    const fault = await settle(async () => {
      const outcome = await submit({ ids: rows.map(({ id }) => id), reason }, key);
      if (outcome.kind === 'done') ({ results } = outcome.data as BulkResult);
    });
    if (!fault) props.onDone(results);
    return fault;
  }

  return (
    <ConfirmDialog
      title={title}
      verb={`${verb} ${rows.length} 条`}
      danger
      amounts={amount && pageSums(open, amount).map(({ coin, value }) => ({ value, unit: coin, note: amount.note }))}
      facts={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: `可${verb}`, value: `${open.length} 条` },
        { label: `不可${verb}`, value: `${rows.length - open.length} 条` },
      ]}
      consequence={props.consequence}
      blocked={rows.length > BULK_MAX ? `一次最多 ${BULK_MAX} 条` : undefined}
      reason={{ required: true, chips: props.chips }}
      challenge={{ label: '请输入条数以确认', expect: String(rows.length) }}
      makeKey={newKey}
      run={run}
      onClose={props.onClose}
    />
  );
}
