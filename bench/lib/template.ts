import type { Statement } from './capture.ts';

/** A number that derives from the id alone, and the pgbench expression that computes it. */
export interface DerivedVariable {
  name: string;
  of: (id: number) => number;
  expression: string;
}

/** The statements of one action recorded twice, for two ids. */
export interface RecordedRuns {
  ids: readonly [number, number];
  runs: readonly [readonly Statement[], readonly Statement[]];
}

/** A statement for pgbench. `into`: prefix of the variables that store its single row. */
export interface PgbenchStatement {
  text: string;
  into?: string;
}

/**
 * Turns two recordings of the same action into statements for any id. Equal values are constants. A number that differs
 * derives from the id or was returned by an earlier statement. Other differences are times, hashes or random ids and keep
 * the value of the first run. Throws if the runs have different statements.
 */
export function generalizeRuns({ ids, runs }: RecordedRuns, derived: readonly DerivedVariable[]): PgbenchStatement[] {
  const [first, second] = runs;
  if (first.length !== second.length)
    throw new Error(`Two runs of one action have ${first.length} and ${second.length} statements.`);
  const known: KnownValue[] = derived.map(({ name, of }) => ({
    name,
    values: [of(ids[0]), of(ids[1])],
    from: undefined,
  }));
  const storedStatements = new Set<number>();
  const texts = first.map((statement, index) => {
    const other = second[index];
    if (other?.text !== statement.text)
      throw new Error(`Two runs of one action have different statements:\n${statement.text}`);
    const literals = statement.values.map((value, at) =>
      generalize(literal(value), literal(other.values[at]), known, storedStatements),
    );
    known.push(...findReturnedNumbers(index, statement, other));
    return statement.text.replaceAll(/\$(\d+)/g, (_all, number: string) => literals[Number(number) - 1] ?? 'null');
  });
  return texts.map((text, index) => (storedStatements.has(index) ? { text, into: `s${index}_` } : { text }));
}

interface KnownValue {
  name: string;
  values: readonly [number, number];
  /** Index of the statement that returned it. */
  from: number | undefined;
}

function findReturnedNumbers(index: number, one: Statement, other: Statement): KnownValue[] {
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

function generalize(
  first: string,
  second: string,
  known: readonly KnownValue[],
  storedStatements: Set<number>,
): string {
  if (first === second) return first;
  const [a, b] = [first.split(/(\d+)/), second.split(/(\d+)/)];
  // A different shape: a hash or a random id.
  if (a.length !== b.length || a.some((part, at) => at % 2 === 0 && part !== b[at])) return first;
  return a
    .map((part, at) => {
      if (at % 2 === 0 || part === b[at]) return part;
      const knownValue = known.find(({ values }) => String(values[0]) === part && String(values[1]) === b[at]);
      if (!knownValue) return part;
      if (knownValue.from !== undefined) storedStatements.add(knownValue.from);
      if (/^\w/.test(a[at + 1] ?? '')) throw new Error(`A number is directly followed by text: ${first}`);
      // pgbench reads two colons as a cast; in JSON a space between them is allowed.
      return `${(a[at - 1] ?? '').endsWith(':') ? ' ' : ''}:${knownValue.name}`;
    })
    .join('');
}

/** A statement's text with its values in place of the parameters. */
export const inlineValues = ({ text, values }: Pick<Statement, 'text' | 'values'>): string =>
  text.replaceAll(/\$(\d+)/g, (_all, number: string) => literal(values[Number(number) - 1]));

/** A value as an untyped SQL literal, in the form that the driver sends. */
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

/** The start of a script: gives each transaction its own id and computes the derived numbers. */
export function idPrelude(derived: readonly DerivedVariable[]): string[] {
  return [
    String.raw`\set id :first + :client_id + :clients * :n`,
    String.raw`\set n :n + 1`,
    ...derived
      .filter(({ name }) => name !== 'id')
      .map(({ name, expression }) => String.raw`\set ${name} ${expression}`),
  ];
}

/** A script that sends the statements one by one, as the server does. */
export function scriptOf(prelude: readonly string[], statements: readonly PgbenchStatement[]): string {
  const lines = statements.map(({ text, into }) =>
    into === undefined ? `${joinStatements(text)};` : String.raw`${text} \gset ${into}`,
  );
  return [...prelude, ...lines, ''].join('\n');
}

/** A script that sends all statements in one message, without round trips between them. */
export function singleMessageScriptOf(prelude: readonly string[], statements: readonly PgbenchStatement[]): string {
  return [...prelude, `${statements.map(({ text }) => joinStatements(text)).join(' \\;\n')};`, ''].join('\n');
}

/** Joins the statements of a transaction's first message with pgbench's separator. */
const joinStatements = (text: string): string =>
  text.startsWith('begin') ? text.replaceAll('; ', String.raw` \; `) : text;
