import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** One line of the table. */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  /** The limit, measured in the same run where possible; undefined if it could not be measured. `against` names it. */
  limit?: number | undefined;
  against: string;
  goal?: string;
  /** Latencies and other details. */
  detail?: string;
}

/** Variable with the file that collects the figures of one `npm run bench`. */
const RESULTS = 'BENCH_RESULTS';

/** Prints the figures, or stores them for the table at the end of the whole run. */
export function report(figures: readonly Figure[]): void {
  const file = process.env[RESULTS];
  if (file === undefined) return printTable(figures);
  for (const figure of figures) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

export function readFigures(file: string): Figure[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Figure);
}

export function printTable(figures: readonly Figure[]): void {
  const head = ['figure', 'ours', 'limit', 'ratio', 'goal', 'against', 'detail'];
  const rows = figures.map(({ name, unit, ours, limit, against, goal, detail }) => [
    name,
    `${short(ours)} ${unit}`,
    limit === undefined ? '—' : `${short(limit)} ${unit}`,
    limit === undefined ? '—' : (ours / limit).toFixed(2),
    goal ?? '—',
    against,
    detail ?? '',
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
}

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));
