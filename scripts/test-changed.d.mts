export type TestTable = Readonly<Record<string, readonly string[]>>;
export function changedPaths(base: string): string[];
export function selectTests(
  paths: readonly string[],
  table: TestTable,
): { unit: string[]; browser: string[]; untested: string[] };
export function makeTable(
  runs: readonly { test: string; functions: readonly string[] }[],
  seconds: Readonly<Record<string, number>>,
): TestTable;
