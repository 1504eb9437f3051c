import type { DisplayError } from '../ui/value/display-error.ts';
import { settle } from './display-error.ts';
import type { Outcome } from './hooks.ts';
import { toast } from './toast.ts';

/**
 * Runs an action and shows what was done, by default in the words of the server; returns the error to display. Removes
 * `moved` (who changed the record) from conflicts: the server's message already names the new state.
 */
export async function runWithToast(
  action: () => Promise<Outcome<unknown>>,
  done?: string,
): Promise<DisplayError | undefined> {
  const error = await settle(async () => {
    const outcome = await action();
    if (outcome.kind === 'done') toast.success(done ?? outcome.msg);
  });
  return error && { ...error, moved: undefined };
}

/** As `runWithToast`, where no other place shows the error. */
export async function runWithErrorToast(action: () => Promise<Outcome<unknown>>, done?: string): Promise<void> {
  const error = await runWithToast(action, done);
  if (error) toast.error(error.msg);
}

/** Adds the reason to the input unless it is empty. */
export const withReason = <I extends object>(input: I, reason: string): I & { reason?: string } =>
  reason === '' ? input : { ...input, reason };
