import { SUBMITTED, approval } from '@hengtai/contract/approval';
import type { QueryClient } from '@tanstack/react-query';
import { toast } from './toast.ts';

/** What goes to a second person says so, and rows that it is about show that they wait. */
export function notifySubmitted(client: QueryClient): void {
  toast.info(SUBMITTED);
  void client.invalidateQueries({ queryKey: [approval.open.path] });
}
