import type { CallSpec } from '@hengtai/contract/endpoint';
import { settle } from '../api/display-error.ts';
import { newKey, useAction } from '../api/hooks.ts';
import { toast } from '../api/toast.ts';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/ConfirmDialog.tsx';
import { CheckerNote } from './CheckerNote.tsx';

type ForwardedProps = Pick<
  ConfirmDialogProps,
  'title' | 'verb' | 'amounts' | 'details' | 'loading' | 'blocked' | 'dirty' | 'stateText' | 'children' | 'onClose'
>;

interface Props extends ForwardedProps {
  call: CallSpec;
  invalidate: readonly CallSpec[];
  row: { id: number; userId: number; account: string; agent: string };
  /** Additional input of the call besides id and reason. */
  extraInput?: object;
  /** The command was sent before and its outcome is unknown. */
  isRepeat: boolean;
  /** Another operator must approve first. */
  needsChecker: boolean;
  /** Consequence, starting with `向撮合`. */
  consequence: string;
  /** Success toast. */
  successText: string;
  chips: readonly string[];
}

/**
 * Level 2: sends the platform a command to cancel, close or end an order. It takes effect when the platform confirms
 * it.
 */
export function OrderDialog({
  call,
  invalidate,
  row,
  extraInput,
  isRepeat,
  needsChecker,
  consequence,
  successText,
  chips,
  ...dialog
}: Props) {
  const { submit } = useAction<CallSpec>(call, { invalidate });

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      const outcome = await submit({ id: row.id, ...extraInput, ...(reason !== '' && { reason }) }, key);
      if (outcome.kind === 'done') toast.success(successText);
    });
    if (!error) dialog.onClose();
    return error;
  }

  return (
    <ConfirmDialog
      {...dialog}
      verb={needsChecker ? '提交复核' : dialog.verb}
      danger
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）` },
        { label: '所属代理', value: row.agent },
        ...dialog.details,
      ]}
      consequence={`${needsChecker ? '提交后由另一位复核员确认，确认后' : ''}${isRepeat ? '再次' : ''}${consequence}`}
      reason={{ required: false, chips }}
      makeKey={newKey}
      run={run}
    >
      {dialog.children}
      {needsChecker && <CheckerNote userId={row.userId} />}
    </ConfirmDialog>
  );
}
