import { SUBMITTED, approval } from '@hengtai/contract/approval';
import type { QueryClient } from '@tanstack/react-query';
import { notify } from './notice.ts';

/** What goes to a second person says so, and rows that it is about show that they wait. */
export function tellSubmitted(client: QueryClient): void {
  notify.info(SUBMITTED);
  void client.invalidateQueries({ queryKey: [approval.open.path] });
}
