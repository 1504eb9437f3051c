/** The same properties, with those named in `first` before the others. */
export const inOrder = <T extends object>(values: T, first: readonly (keyof T & string)[]): T =>
  // Assigning a key again keeps its place.
  ({ ...Object.fromEntries(first.map((key) => [key, values[key]])), ...values });
