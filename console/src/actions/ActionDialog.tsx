import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { use } from 'react';
import { settle } from '../api/display-error.ts';
import { type Outcome, newKey, useAction } from '../api/hooks.ts';
import { withReason } from '../api/run-with-toast.ts';
import { toast } from '../api/toast.ts';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/dialog/ConfirmDialog.tsx';
import { RecordPlaceContext } from '../ui/dialog/record-place.ts';
import type { DisplayError } from '../ui/value/display-error.ts';
import { CheckerNote } from './CheckerNote.tsx';
import { SUBMIT } from './approval-words.ts';
import { SigningNote } from './SigningNote.tsx';
import { doneText } from './done-text.ts';
import { type SigningTarget, useSigning } from './use-signing.ts';
import { QueryPlace, type QueryState } from '../api/QueryPlace.tsx';

type WithoutReason<I> = I extends unknown ? Omit<I, 'reason'> : never;

type LoadedQuery = QueryState & { data: unknown; isPending: boolean };

type Reason = NonNullable<ConfirmDialogProps['reason']>;

interface Props<C extends CallSpec> extends Omit<ConfirmDialogProps, 'makeKey' | 'run' | 'reason' | 'title' | 'verb'> {
  call: C;
  /** Input of the call. The dialog adds the reason unless it is empty. */
  input: WithoutReason<InputOf<C>>;
  /** Title and text of the button; by default what the facts of the action say, with the id of the input. */
  title?: string;
  verb?: string;
  /** What the dialog asks for other than the facts of the action say. */
  reason?: Partial<Reason> | undefined;
  /** The user of the record, named first in the details. */
  user?: { userId: number; account: string; agent: string };
  /** Whose checkers count if the details of the user are others than those of `user`. */
  userId?: number;
  /** Another operator must approve: says so on the button, and warns if nobody could. */
  needsChecker?: boolean;
  /** What the operator signs before the call, while payouts need signatures. */
  signs?: SigningTarget | undefined;
  /** Success toast; by default what the dialog did, from its title and amounts; none if it returns undefined. */
  successText?: string | ((data: OutputOf<C>, msg: string) => string | undefined);
  /** Called after the action was executed or submitted for approval; `onClose` by default. */
  onDone?: (outcome: Outcome<OutputOf<C>>) => void;
  /**
   * What the dialog loads first. It cannot be confirmed meanwhile. A failure shows with 重试; it alone does not prevent the
   * action, which may protect: a dialog that must show what it loads sets `blocked`.
   */
  query?: LoadedQuery | undefined;
  /** What the dialog shows after a refusal, if not the message of the server. */
  mapError?: (error: DisplayError) => DisplayError;
}

/** Level 2 or 3: confirms and runs one action of the contract. Mounting opens it. */
export function ActionDialog<C extends CallSpec>({
  call,
  input,
  user,
  userId = user?.userId,
  title = titleOf(call, input),
  verb = call.summary,
  danger = call.danger ?? false,
  needsChecker,
  signs,
  reason,
  successText,
  onDone,
  mapError,
  query,
  children,
  ...dialog
}: Props<C>) {
  const { submit } = useAction(call);
  const signing = useSigning(signs);
  const hasFailed = query !== undefined && query.data === undefined && Boolean(query.error);
  const report = use(RecordPlaceContext)?.report ?? toast.success;

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      await signing.sign();
      const outcome = await submit(withReason(input as object, reason) as never, key);
      if (outcome.kind === 'done') {
        const { msg } = outcome;
        const text =
          typeof successText === 'function'
            ? successText(outcome.data, msg)
            : (successText ?? doneText({ ...dialog, title, verb, msg }));
        if (text !== undefined) report(text);
      }
      if (onDone) onDone(outcome);
      else dialog.onClose();
    });
    if (!error) return undefined;
    if (signs && error.kind !== 'unknown') void signing.reset();
    const shown = mapError?.(error) ?? error;
    // Without names of its states the dialog cannot say what the record became.
    return dialog.stateText ? shown : { ...shown, moved: undefined };
  }

  return (
    <ConfirmDialog
      {...dialog}
      title={title}
      verb={needsChecker ? SUBMIT : verb}
      danger={danger}
      details={[...(user ? userDetails(user) : []), ...dialog.details]}
      blocked={dialog.blocked ?? signing.problem}
      loading={(dialog.loading ?? false) || (query?.isPending ?? false)}
      {...(call.reason !== undefined && { reason: { ...reasonOf(call), ...reason } })}
      makeKey={newKey}
      run={run}
    >
      {needsChecker === undefined && !signing.isDue && !hasFailed ? (
        children
      ) : (
        <>
          {hasFailed && <QueryPlace query={query} isSmall />}
          {children}
          {needsChecker && <CheckerNote {...(userId !== undefined && { userId })} />}
          <SigningNote signing={signing} />
        </>
      )}
    </ConfirmDialog>
  );
}

const titleOf = ({ summary }: CallSpec, input: object): string =>
  'id' in input ? `${summary} #${String(input.id)}` : summary;

const reasonOf = ({ reason, reasons = [] }: CallSpec): Reason => ({ required: reason !== 'optional', chips: reasons });

const userDetails = ({ userId, account, agent }: NonNullable<Props<CallSpec>['user']>) => [
  { label: '用户', value: `${account}（${userId}）`, essential: true },
  { label: '所属代理', value: agent },
];
