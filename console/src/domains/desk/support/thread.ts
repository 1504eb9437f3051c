import type { SupportMessage, SupportPage } from '@hengtai/contract/desk/support/schema';
import { dayOf, dayText } from '../../../ui/value/zone.ts';

/** The loaded messages of one conversation: a range without gaps up to the newest. */
export interface LoadedThread {
  id: number;
  list: readonly SupportMessage[];
  /** True if the server has older messages. */
  more: boolean;
}

/** Merges two lists in id order. For a message in both, the second list wins. */
function mergeMessages(one: readonly SupportMessage[], other: readonly SupportMessage[]): SupportMessage[] {
  const byId = new Map([...one, ...other].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/**
 * Merges a page of the newest messages. A loaded range that the page does not overlap is dropped, so that the thread
 * never has a gap; scrolling back loads it again.
 */
export function mergeNewest(thread: LoadedThread | undefined, id: number, page: SupportPage): LoadedThread {
  const [first] = page.list;
  const last = thread?.list.at(-1);
  if (!thread || thread.id !== id || !last || !first || first.id > last.id)
    return thread?.id === id && !page.more
      ? { id, list: mergeMessages(thread.list, page.list), more: thread.more }
      : { id, list: page.list, more: page.more };
  return {
    id,
    list: mergeMessages(thread.list, page.list),
    more: (thread.list[0]?.id ?? first.id) < first.id ? thread.more : page.more,
  };
}

export const mergeOlder = (thread: LoadedThread, page: SupportPage): LoadedThread => ({
  ...thread,
  list: mergeMessages(page.list, thread.list),
  more: page.more,
});

export const mergeSent = (thread: LoadedThread | undefined, message: SupportMessage): LoadedThread | undefined =>
  thread?.id === message.serviceId ? { ...thread, list: mergeMessages(thread.list, [message]) } : thread;

/** `2026-03-08` for the first message of a day in the zone; undefined for the others. */
export function dayMark(
  list: readonly { createdAt: number }[],
  index: number,
  zone: string,
  now = Date.now(),
): string | undefined {
  const [one, before] = [list[index], list[index - 1]];
  if (!one) return undefined;
  const day = dayText(dayOf(one.createdAt, zone));
  if (before && dayText(dayOf(before.createdAt, zone)) === day) return undefined;
  return day === dayText(dayOf(now, zone)) ? `今天 ${day}` : day;
}

/** The number of messages after the last visible one. */
export const countNewer = (list: readonly SupportMessage[], lastSeen: number): number =>
  list.filter(({ id }) => id > lastSeen).length;
