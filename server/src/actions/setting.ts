import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { ActionCtx } from '../app/context.ts';
import { refuseField } from '../app/refuse.ts';
import type { Subject } from './action-audit.ts';
import { type StaleSave, refuseStaleSave } from './stale-save.ts';

/** A record as the answer of a call. */
interface Answered<O> {
  data: O;
  subject: Subject;
  /** As of a stale save. */
  isSave?: StaleSave['isSave'];
}

/**
 * A call that sets values of a record. If the record already has them, the call answers 200 without effect, also when the
 * caller names an older version: nobody is in conflict with what is so already.
 */
export interface Setting<I, O, T> {
  /** The record as it is; undefined if the call adds one. */
  record: (target: T, ctx: ActionCtx) => Answered<O> | undefined;
  isSet: (target: T, input: I, ctx: ActionCtx) => boolean | Promise<boolean>;
  /** Read-only fields that have moved without a save since the caller read them, such as a price. They are ignored. */
  findMoved?: (target: T, readOnly: Readonly<Record<string, unknown>>, ctx: ActionCtx) => Promise<readonly string[]>;
}

/** The record if it has all values that the call would set; undefined if the call has an effect. */
export async function findRecordAsSet<I, O, T>(
  ctx: ActionCtx,
  setting: Setting<I, O, T> | undefined,
  target: T,
  input: I,
): Promise<Answered<O> | undefined> {
  const record = setting?.record(target, ctx);
  return record && (await setting?.isSet(target, input, ctx)) ? record : undefined;
}

/**
 * Compares the read-only fields of a body with the record.
 *
 * @param readOnly fields of the record as the caller read it, which the call cannot set
 * @throws Refused 409 for an older record, if the call has an effect; 422 for a field with another value
 */
export async function requireReadOnly<I, O, T>(
  ctx: ActionCtx,
  setting: Setting<I, O, T> | undefined,
  target: T,
  readOnly: object,
  isSet: boolean,
): Promise<void> {
  const moved = await setting?.findMoved?.(target, { ...readOnly }, ctx);
  requireUnchanged(setting?.record(target, ctx), readOnly, { isSet, moved });
}

/** The result of a call that sets what the record already has. */
export const noEffect = <O>(record: Answered<O>) => ({ ...record, after: { unchanged: true } });

/** An older `updatedAt` means that somebody changed the record since, which matters only to a call that has an effect. */
function requireUnchanged(
  record: Answered<unknown> | undefined,
  readOnly: object,
  { isSet, moved = [] }: { isSet: boolean; moved?: readonly string[] | undefined },
): void {
  const values: object = isRecord(record?.data) ? record.data : {};
  const [read, now]: unknown[] = [readOnly, values].map((fields) => Reflect.get(fields, 'updatedAt'));
  if (record && typeof read === 'number' && typeof now === 'number' && read < now) {
    if (isSet) return;
    const { subject: target, isSave } = record;
    throw refuseStaleSave({ target, since: read, isSave, current: { at: now } });
  }
  const changed = Object.entries(readOnly).find(
    ([field, value]) => !moved.includes(field) && stableJson(value) !== stableJson(Reflect.get(values, field)),
  );
  if (changed) throw refuseField(changed[0], '不能修改');
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What the audit row records of the record afterwards. It says so if that equals what was before. */
export function markUnchanged({ before, after }: { before?: unknown; after?: unknown }): unknown {
  const isSame = isRecord(before) && isRecord(after) && stableJson(before) === stableJson(after);
  return isSame ? { ...after, unchanged: true } : after;
}
