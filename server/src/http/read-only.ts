import type { TSchema } from '@sinclair/typebox';

/** Fields of a body that only say what its caller has read of the record. */
export const readOnlyFieldsOf = (schema: TSchema): readonly string[] =>
  Object.entries<TSchema>(schema['properties'] ?? {}).flatMap(([field, { readOnly }]) => (readOnly ? [field] : []));

export interface SplitInput {
  input: unknown;
  /** Absent if the body has none. */
  readOnly?: object;
}

/** Separates read-only fields from what the handler of a call takes. */
export function takeReadOnly(input: unknown, fields: readonly string[]): SplitInput {
  if (fields.length === 0 || typeof input !== 'object' || input === null) return { input };
  const rest: Record<string, unknown> = { ...input };
  const readOnly: Record<string, unknown> = {};
  for (const field of fields) {
    if (!Object.hasOwn(rest, field)) continue;
    readOnly[field] = rest[field];
    delete rest[field];
  }
  return Object.keys(readOnly).length > 0 ? { input: rest, readOnly } : { input };
}
