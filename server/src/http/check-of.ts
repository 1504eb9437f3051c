import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The compiled check of a schema. Compiled on first use: compiling all at once would add a tenth to the start-up time. */
export function checkOf<S extends TSchema>(schema: S): TypeCheck<S> {
  const known = checks.get(schema);
  if (known) return known as TypeCheck<S>;
  const check = TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}
