/** The values of a list of re-exports, whose order is that of the names: these come first, and further ones follow. */
export const inOrder = <T extends object>(values: T, first: readonly (keyof T & string)[]): T =>
  // Assigning a key again keeps its place.
  ({ ...Object.fromEntries(first.map((key) => [key, values[key]])), ...values });
