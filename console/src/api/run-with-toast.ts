import type { DisplayError } from '../ui/display-error.ts';
import { settle } from './display-error.ts';
import type { Outcome } from './hooks.ts';
import { toast } from './toast.ts';

/**
 * Runs an action and says that it was done; what went to a second person says so by itself. The words of a conflict name
 * what stands now; by whom is not known of users and agents, so nobody is named.
 */
export async function runWithToast(action: () => Promise<Outcome<unknown>>): Promise<DisplayError | undefined> {
  const error = await settle(async () => {
    const outcome = await action();
    if (outcome.kind === 'done') toast.success(outcome.msg);
  });
  return error && { ...error, moved: undefined };
}

/** An input without an empty reason. */
export const withReason = <I extends object>(input: I, reason: string): I & { reason?: string } =>
  reason === '' ? input : { ...input, reason };
