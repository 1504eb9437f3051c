import { SUBMITTED, approval } from '@hengtai/contract/approval';
import type { QueryClient } from '@tanstack/react-query';
import { toast } from './toast.ts';

/** Shows that a request was submitted for approval, and refreshes the pending-approval tags of rows. */
export function notifySubmitted(client: QueryClient): void {
  toast.info(SUBMITTED);
  void client.invalidateQueries({ queryKey: [approval.open.path] });
}
