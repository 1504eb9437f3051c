import type { Statement } from './capture.ts';

/** A number of the bench's data that follows from the id alone, and how pgbench computes it. */
export interface Derived {
  name: string;
  of: (id: number) => number;
  expression: string;
}

/** The statements of one action recorded twice, for two ids. */
export interface TwoRuns {
  ids: readonly [number, number];
  runs: readonly [readonly Statement[], readonly Statement[]];
}

/** A statement as pgbench sends it. `into`: its one row is kept in variables that begin with this. */
export interface PgbenchStatement {
  text: string;
  into?: string;
}

/**
 * Turns two recordings of the same action into statements for any id. What is the same in both is constant; a number that
 * differs is one that follows from the id, or one that an earlier statement of the action returned. Whatever else differs is
 * a moment, a hash or a random id, and stays as it was first.
 */
export function templateOf({ ids, runs }: TwoRuns, derived: readonly Derived[]): PgbenchStatement[] {
  const [first, second] = runs;
  if (first.length !== second.length) throw new Error(`${first.length} and ${second.length} statements of one action`);
  const known: Known[] = derived.map(({ name, of }) => ({ name, values: [of(ids[0]), of(ids[1])], from: undefined }));
  const kept = new Set<number>();
  const texts = first.map((statement, index) => {
    const other = second[index];
    if (other?.text !== statement.text)
      throw new Error(`Two actions of one kind have different statements:\n${statement.text}`);
    const literals = statement.values.map((value, at) =>
      generalize(literal(value), literal(other.values[at]), known, kept),
    );
    known.push(...returned(index, statement, other));
    return statement.text.replaceAll(/\$(\d+)/g, (_all, number: string) => literals[Number(number) - 1] ?? 'null');
  });
  return texts.map((text, index) => (kept.has(index) ? { text, into: `s${index}_` } : { text }));
}

interface Known {
  name: string;
  values: readonly [number, number];
  /** The statement that returned it. */
  from: number | undefined;
}

function returned(index: number, one: Statement, other: Statement): Known[] {
  const [a, b] = [one.rows[0], other.rows[0]];
  if (one.rows.length !== 1 || other.rows.length !== 1 || !a || !b) return [];
  return Object.keys(a).flatMap((column) => {
    const values = [a[column], b[column]].map(Number);
    const [x, y] = values;
    return x !== undefined && y !== undefined && Number.isSafeInteger(x) && x !== y
      ? [{ name: `s${index}_${column}`, values: [x, y] as const, from: index }]
      : [];
  });
}

function generalize(first: string, second: string, known: readonly Known[], kept: Set<number>): string {
  if (first === second) return first;
  const [a, b] = [first.split(/(\d+)/), second.split(/(\d+)/)];
  // Of another shape: a hash or a random id.
  if (a.length !== b.length || a.some((part, at) => at % 2 === 0 && part !== b[at])) return first;
  return a
    .map((part, at) => {
      if (at % 2 === 0 || part === b[at]) return part;
      const found = known.find(({ values }) => String(values[0]) === part && String(values[1]) === b[at]);
      if (!found) return part;
      if (found.from !== undefined) kept.add(found.from);
      if (/^\w/.test(a[at + 1] ?? '')) throw new Error(`A number is directly followed by text: ${first}`);
      // pgbench reads two colons as a cast; inside JSON a space may stand between.
      return `${(a[at - 1] ?? '').endsWith(':') ? ' ' : ''}:${found.name}`;
    })
    .join('');
}

/** A statement with its values in their places. */
export const written = ({ text, values }: Pick<Statement, 'text' | 'values'>): string =>
  text.replaceAll(/\$(\d+)/g, (_all, number: string) => literal(values[Number(number) - 1]));

/** A value as the driver sends it, written as an untyped literal. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return `'${textOf(value).replaceAll("'", "''")}'`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const parts = value.map((part: unknown) => {
      if (part === null) return 'null';
      return typeof part === 'string' ? `"${part.replaceAll(/[\\"]/g, String.raw`\$&`)}"` : textOf(part);
    });
    return `{${parts.join(',')}}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an action's script computes before it begins, so that no two of its transactions have one id. */
export function counting(derived: readonly Derived[]): string[] {
  return [
    String.raw`\set id :first + :client_id + :clients * :n`,
    String.raw`\set n :n + 1`,
    ...derived
      .filter(({ name }) => name !== 'id')
      .map(({ name, expression }) => String.raw`\set ${name} ${expression}`),
  ];
}

/** The statements one by one, each waiting for its answer, as a server sends them. */
export function scriptOf(prelude: readonly string[], statements: readonly PgbenchStatement[]): string {
  const lines = statements.map(({ text, into }) =>
    into === undefined ? `${oneMessage(text)};` : String.raw`${text} \gset ${into}`,
  );
  return [...prelude, ...lines, ''].join('\n');
}

/** All statements in one message: what is left when nothing waits for a round trip. */
export function oneMessageOf(prelude: readonly string[], statements: readonly PgbenchStatement[]): string {
  return [...prelude, `${statements.map(({ text }) => oneMessage(text)).join(' \\;\n')};`, ''].join('\n');
}

/** A transaction begins with several statements in one message. */
const oneMessage = (text: string): string =>
  text.startsWith('begin') ? text.replaceAll('; ', String.raw` \; `) : text;
