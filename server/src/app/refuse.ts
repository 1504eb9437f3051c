import type { FieldError, StateConflict } from '@hengtai/contract/wire/envelope';
import { labelOf } from '@hengtai/contract/wire/labels';
import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';

/** Thrown to answer a call with a refusal; rolls back the transaction that it leaves. */
export class Refused extends Error {
  override name = 'Refused';

  readonly refusal: Refusal;
  readonly data: unknown;

  constructor(refusal: Refusal, data: unknown = null, text: string = refusal.msg) {
    super(text);
    this.refusal = refusal;
    this.data = data;
  }
}

export const refuse = (refusal: Refusal, msg?: string, data: unknown = null): Refused =>
  new Refused(refusal, data, msg ?? refusal.msg);

/** The refusal that a check throws; undefined when it throws none. Other errors pass through. */
export function refusalOf(check: () => void): Refused | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  return undefined;
}

/**
 * Returns the row that a query found.
 *
 * @throws Refused 404 if it found none
 */
export function requireFound<T>(row: T | undefined): T {
  if (row === undefined) throw refuse(refusals.notFound);
  return row;
}

/** 422 for one field, for a rule that a schema cannot express. */
export function refuseField(field: string, problem: string): Refused {
  const msg = `${labelOf(field)}${problem}`;
  return refuse(refusals.invalid, msg, [{ field, msg } satisfies FieldError]);
}

/** 422 for a missing required field, with the same text as the schema validation. */
export function refuseMissing(field: string, label: string = labelOf(field)): Refused {
  const msg = `请输入${label}`;
  return refuse(refusals.invalid, msg, [{ field, msg } satisfies FieldError]);
}

/** 409 because the record has changed its state; the data names who changed it, when, and the current state. */
export const refuseStateConflict = (label: string, conflict: StateConflict): Refused =>
  refuse(refusals.stateConflict, `记录已被处理，当前状态：${label}`, conflict);

interface DecidedRecord {
  state: number;
  by?: string | null;
  /** The second person, who decided last. */
  secondBy?: string | null;
  updatedAt: number;
}

/** 409 for a record that is no longer in the expected state; `labels` names its states. */
export const refuseState = (
  labels: Readonly<Record<number, string>>,
  { state, by, secondBy, updatedAt }: DecidedRecord,
): Refused => refuseStateConflict(labels[state] ?? String(state), { state, by: secondBy ?? by ?? null, at: updatedAt });
