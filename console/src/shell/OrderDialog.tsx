import type { CallSpec } from '@hengtai/contract/endpoint';
import { settle } from '../api/display-error.ts';
import { newKey, useAction } from '../api/hooks.ts';
import { toast } from '../api/toast.ts';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/ConfirmDialog.tsx';
import { CheckerNote } from './CheckerNote.tsx';

type Shown = Pick<
  ConfirmDialogProps,
  'title' | 'verb' | 'amounts' | 'details' | 'loading' | 'blocked' | 'dirty' | 'stateText' | 'children' | 'onClose'
>;

interface Props extends Shown {
  call: CallSpec;
  stale: readonly CallSpec[];
  row: { id: number; userId: number; account: string; agent: string };
  /** What the call takes beside the id and the reason. */
  also?: object;
  /** It was ordered before, and nobody knows what became of that. */
  again: boolean;
  /** Another person has to agree first. */
  second: boolean;
  /** What follows, from `向撮合` on. */
  consequence: string;
  /** What is said once it was ordered. */
  ordered: string;
  chips: readonly string[];
}

/** Level 2: the platform is told to cancel, close or end one thing of a user; it is done once the platform says so. */
export function OrderDialog({ call, stale, row, also, again, second, consequence, ordered, chips, ...shown }: Props) {
  const { submit } = useAction<CallSpec>(call, { invalidate: stale });

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      const outcome = await submit({ id: row.id, ...also, ...(reason !== '' && { reason }) }, key);
      if (outcome.kind === 'done') toast.success(ordered);
    });
    if (!error) shown.onClose();
    return error;
  }

  return (
    <ConfirmDialog
      {...shown}
      verb={second ? '提交复核' : shown.verb}
      danger
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）` },
        { label: '所属代理', value: row.agent },
        ...shown.details,
      ]}
      consequence={`${second ? '提交后由另一位复核员确认，确认后' : ''}${again ? '再次' : ''}${consequence}`}
      reason={{ required: false, chips }}
      makeKey={newKey}
      run={run}
    >
      {shown.children}
      {second && <CheckerNote userId={row.userId} />}
    </ConfirmDialog>
  );
}
