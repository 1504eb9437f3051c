/** Returns a function that copies the named fields of a record, such as those that its audit rows show. */
export const pick =
  <const F extends string>(...fields: readonly F[]) =>
  <R extends Readonly<Record<F, unknown>>>(record: R): Pick<R, F> =>
    Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, F>;
