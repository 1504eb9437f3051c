import type { Fault } from '../ui/fault.ts';
import { settle } from './fault.ts';
import type { Outcome } from './hooks.ts';
import { notify } from './notice.ts';

/**
 * Runs a deed and says that it was done; what went to a second person says so by itself. The words of a conflict name
 * what stands now; by whom is not known of users and agents, so nobody is named.
 */
export async function said(deed: () => Promise<Outcome<unknown>>): Promise<Fault | undefined> {
  const fault = await settle(async () => {
    const outcome = await deed();
    if (outcome.kind === 'done') notify.success(outcome.msg);
  });
  return fault && { ...fault, moved: undefined };
}

/** An input without an empty reason. */
export const withReason = <I extends object>(input: I, reason: string): I & { reason?: string } =>
  reason === '' ? input : { ...input, reason };
