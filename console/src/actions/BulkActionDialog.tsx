import type { BulkResult } from '@hengtai/contract/schema';
import { BULK_MAX } from '@hengtai/contract/list';
import type { ReactNode } from 'react';
import { settle } from '../api/display-error.ts';
import { type Action, newKey } from '../api/hooks.ts';
import type { BulkLine } from '../ui/BulkResults.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/ConfirmDialog.tsx';

interface Props extends Pick<ConfirmDialogProps, 'details' | 'amounts' | 'danger'> {
  title: string;
  verb: string;
  consequence: ReactNode;
  ids: readonly number[];
  /** Counting unit: 条, or 位 for people. */
  unit?: '条' | '位';
  reasons: readonly string[];
  submit: Action<{ ids: number[]; reason: string }, BulkResult>['submit'];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Level 3: a bulk action. The operator types the count and gives a reason; each record has its own result. */
export function BulkActionDialog({ ids, unit = '条', verb, reasons, submit, onDone, ...dialog }: Props) {
  async function run(reason: string, key: string) {
    let results: readonly BulkLine[] = [];
    const error = await settle(async () => {
      const outcome = await submit({ ids: [...ids], reason }, key);
      if (outcome.kind === 'done') ({ results } = outcome.data);
    });
    if (!error) onDone(results);
    return error;
  }

  return (
    <ConfirmDialog
      {...dialog}
      verb={`${verb} ${ids.length} ${unit}`}
      blocked={ids.length > BULK_MAX ? `一次最多 ${BULK_MAX} ${unit}` : undefined}
      reason={{ required: true, chips: reasons }}
      challenge={{ label: unit === '位' ? '请输入人数以确认' : '请输入条数以确认', expect: String(ids.length) }}
      makeKey={newKey}
      run={run}
    />
  );
}
