import { EVENT_REASONS } from '@hengtai/contract/gateway/gateway';

/** Thrown for an event that must not be applied. The message is the reason that the platform receives. */
export class Rejected extends Error {
  override name = 'Rejected';

  /** Place in the event and what is expected there, such as `/data/amount: decimal string above zero expected`. */
  readonly detail: string | undefined;

  constructor(reason: string, detail?: string) {
    super(reason);
    this.detail = detail;
  }
}

/** Creates the error; the caller throws it. `field` is appended to the reason. */
export const reject = (reason: keyof typeof EVENT_REASONS, field?: string): Rejected =>
  new Rejected(field === undefined ? EVENT_REASONS[reason] : `${EVENT_REASONS[reason]}: ${field}`);

/** Creates the error for a field of `data` whose value the schema cannot judge. */
export const rejectField = (field: string, expected: string): Rejected =>
  new Rejected(`${EVENT_REASONS.invalid}: ${field}`, `/data/${field}: ${expected} expected`);

/** Whether an event was rejected because its number is used already. */
export const isDuplicateNumber = (error: unknown): boolean =>
  error instanceof Rejected && error.message === EVENT_REASONS.exists;

/** The events of a transaction must be applied in another way: the transaction is undone. */
export class Undone extends Error {
  override name = 'Undone';
}
