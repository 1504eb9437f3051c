import { EVENT_REASONS } from '@hengtai/contract/gateway';

/** Thrown for an event that must not be applied. The message is the reason that the platform receives. */
export class Rejected extends Error {
  override name = 'Rejected';
}

/** Creates the error; the caller throws it. `field` is appended to the reason. */
export const reject = (reason: keyof typeof EVENT_REASONS, field?: string): Rejected =>
  new Rejected(field === undefined ? EVENT_REASONS[reason] : `${EVENT_REASONS[reason]}: ${field}`);

/** Whether an event was rejected because its number is used already. */
export const isDuplicateNumber = (error: unknown): boolean =>
  error instanceof Rejected && error.message === EVENT_REASONS.exists;

/** The events of a transaction must be applied in another way: the transaction is undone. */
export class Undone extends Error {
  override name = 'Undone';
}
