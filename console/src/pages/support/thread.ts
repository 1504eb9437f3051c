import type { SupportMessage, SupportPage } from '@hengtai/contract/support.schema';
import { dayOf, dayText } from '../../ui/zone.ts';

/** What is known of one conversation: a run of messages without gaps up to the newest. */
export interface Known {
  id: number;
  list: readonly SupportMessage[];
  /** There are older ones. */
  more: boolean;
}

/** Both in their order, what is in both as the second has it. */
function joined(one: readonly SupportMessage[], other: readonly SupportMessage[]): SupportMessage[] {
  const found = new Map([...one, ...other].map((message) => [message.id, message]));
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/**
 * What is known after the newest messages were read again. Where more came than one page holds, what was known before no
 * longer touches it: it is dropped, and read again when somebody scrolls there, so that there is never a gap in sight.
 */
export function withNewest(known: Known | undefined, id: number, page: SupportPage): Known {
  const [first] = page.list;
  const last = known?.list.at(-1);
  if (!known || known.id !== id || !last || !first || first.id > last.id)
    return known?.id === id && !page.more
      ? { id, list: joined(known.list, page.list), more: known.more }
      : { id, list: page.list, more: page.more };
  return {
    id,
    list: joined(known.list, page.list),
    more: (known.list[0]?.id ?? first.id) < first.id ? known.more : page.more,
  };
}

export const withOlder = (known: Known, page: SupportPage): Known => ({
  ...known,
  list: joined(page.list, known.list),
  more: page.more,
});

export const withSent = (known: Known | undefined, message: SupportMessage): Known | undefined =>
  known?.id === message.serviceId ? { ...known, list: joined(known.list, [message]) } : known;

/** `2026-03-08` where a day begins in the zone; undefined beside the other messages. */
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

/** Whether a message is something that a customer wrote after the last that was in sight. */
export const freshCount = (list: readonly SupportMessage[], seen: number): number =>
  list.filter(({ id }) => id > seen).length;
