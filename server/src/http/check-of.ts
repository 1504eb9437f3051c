import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The compiled check of a schema. Compiled at the first use, because compiling all of them takes a tenth of the start. */
export function checkOf<S extends TSchema>(schema: S): TypeCheck<S> {
  const known = checks.get(schema);
  if (known) return known as TypeCheck<S>;
  const check = TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}
