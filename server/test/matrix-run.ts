import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { nouns } from '@hengtai/contract/index';
import { type RunnerTestSuite, beforeAll } from 'vitest';
import { makeOperator } from './factories.ts';
import { parseCsv } from './csv.ts';
import { COLUMNS, type Case, type Codes, type Column, cases, exportCase } from './matrix-cases.ts';
import { PLACES, type Place, type PlaceData, type World, nextName } from './matrix-world.ts';
import { readStreamStart } from './stream.ts';

export interface Line {
  name: string;
  call: CallSpec;
  row: Case<object>;
}

/** The calls of the contract, each with its row of the table. */
export const lines: readonly Line[] = Object.entries(nouns).flatMap(([noun, calls]) =>
  Object.entries<CallSpec>(calls).map(([name, call]) => {
    const rows = (cases as Record<string, object>)[noun] as Record<string, unknown> | undefined;
    const row = rows?.[call.listName ?? name];
    if (!row) throw new Error(`no case for ${noun}.${name}`);
    // The type of the table guarantees that the inputs match the call.
    const ownCase = row as Case<object>;
    return { name: `${noun}.${name}`, call, row: call.kind === 'export' ? exportCase(ownCase) : ownCase };
  }),
);

/**
 * Runs once before the tests of a file, with the lines whose tests are selected, for example by `-t`; with all lines if
 * only other tests are.
 */
export function beforeLines(work: (selected: readonly Line[]) => Promise<void>): void {
  // Vitest wants a pattern here, also for a context that nobody reads.
  // oxlint-disable-next-line no-empty-pattern
  beforeAll(async ({}, file) => {
    const names = new Set(selectedNamesOf(file));
    const selected = lines.filter(({ name }) => names.has(name));
    await work(selected.length > 0 ? selected : lines);
  });
}

const selectedNamesOf = ({ tasks }: Readonly<RunnerTestSuite>): string[] =>
  tasks.flatMap((task) => {
    if (task.type === 'suite') return selectedNamesOf(task);
    // Vitest quotes a text in a title.
    return task.mode === 'run' || task.mode === 'queued' ? [task.name.replaceAll("'", '')] : [];
  });

export interface Leak {
  call: string;
  column: Column | 'all';
  place: string;
  around: string;
}

export interface Result {
  /** Outcomes by line and column. */
  received: Map<string, Partial<Codes>>;
  leaks: Leak[];
  /** Every answer to the operators under test, normalized so that two equal worlds give equal answers. */
  answers: { source: string; text: string }[];
}

const FORGED_TOKEN = 'x'.repeat(43);

/** Makes the calls of the given lines and columns and records the answers. Contains no assertions. */
export async function runMatrix(
  world: World,
  selected: readonly Line[],
  isTested: (line: Line, column: Column) => boolean,
): Promise<Result> {
  const result: Result = { received: new Map(), leaks: [], answers: [] };
  const refusedFirst = COLUMNS.toSorted((a, b) => Number(isRefused(b)) - Number(isRefused(a)));
  for (const line of selected) {
    const received: Partial<Codes> = {};
    const unused: UnusedInputs = new Map();
    for (const column of refusedFirst) {
      if (line.row.codes[column] === '-' || !isTested(line, column)) continue;
      received[column] = await runColumn({ world, line, unused, result }, column);
    }
    result.received.set(line.name, received);
  }
  return result;
}

/** Inputs by place that no call has changed anything with, so that the next column can use them as well. */
type UnusedInputs = Map<Place, object[]>;

/** Whether most calls refuse the caller or the input of a column, so that its inputs stay unused. */
const isRefused = (column: Column): boolean => /stranger|forged|malformed|unable/.test(column);

interface RunState {
  world: World;
  line: Line;
  unused: UnusedInputs;
  result: Result;
}

async function runColumn(state: RunState, column: Column): Promise<Codes[Column]> {
  const { world, line, unused, result } = state;
  const viewer = column.startsWith('unable') ? world.places.child : world.places.own;
  const token = await tokenFor(world, line, column, viewer);
  const outcomes = new Set<string>();
  for (const input of await inputsFor(state, column)) {
    const sentInput = column.endsWith('malformed') ? { ...input, surplus: 1 } : input;
    const text = await fetchAnswer(world, line.call, sentInput, token);
    recordAnswer(world, { line, column, viewer }, text, result);
    outcomes.add(outcomeOf(line.call, text));
  }
  if (line.call.method !== 'GET' && [...outcomes].some((outcome) => outcome.startsWith('20')))
    unused.delete(placeOf(column));
  return [...outcomes].join(' or ') as Codes[Column];
}

async function tokenFor(world: World, line: Line, column: Column, viewer: PlaceData): Promise<string | undefined> {
  if (column.startsWith('stranger')) return undefined;
  if (column === 'forged') return FORGED_TOKEN;
  if (!line.row.endsSession || column !== 'own') return viewer.agent.token;
  const account = `${viewer.canary}.e${nextName(world)}`;
  return (await makeOperator(world.server, world.admin, { parent: viewer.agent.account, account })).token;
}

async function inputsFor({ world, line: { row, name }, unused }: RunState, column: Column): Promise<object[]> {
  if (column === 'conflict' || column === 'sibling+conflict') {
    if (!row.conflict) throw new Error(`${name} has no input for ${column}`);
    return [await row.conflict(world, column === 'conflict' ? 'own' : 'sibling')];
  }
  const place = placeOf(column);
  const inputs = unused.get(place) ?? (await row.inputs(world, place));
  unused.set(place, inputs);
  return inputs;
}

function placeOf(column: Column): Place {
  if (column.includes('absent')) return 'absent';
  if (column.startsWith('unable')) return 'child';
  return PLACES.find((place) => place === column) ?? 'own';
}

/** The answer body as text. Files and images become an envelope, an export an envelope with its rows. */
export async function fetchAnswer(
  { server }: World,
  call: CallSpec,
  input: object,
  token: string | undefined,
): Promise<string> {
  const pairs = Object.entries(input).map(([field, value]): [string, string] => [field, String(value)]);
  const query = call.method === 'GET' && pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
  if (call.kind === 'stream') return readStreamStart(server, `${API_BASE}${call.path}${query}`, token);
  const response = await server.server.inject({
    method: call.method,
    url: `${API_BASE}${call.path}${query}`,
    headers: {
      ...(token === undefined ? {} : { token }),
      ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.method === 'POST' ? { payload: JSON.stringify(input) } : {}),
  });
  if (
    String(response.headers['content-type']).startsWith('image/') ||
    (call.kind === 'file' && response.headers['content-disposition'])
  )
    return JSON.stringify({ code: 200, msg: '', data: null });
  return call.kind === 'export' ? fileAsText(call, response.body) : response.body;
}

/** Converts a CSV file to an envelope with its rows, so that it is searched and counted like a list. */
export function fileAsText(call: CallSpec, body: string): string {
  if (!body.startsWith('\ufeff')) return body;
  const fields = (call.list?.columns ?? []).map(({ field }) => field);
  const list = parseCsv(body)
    .slice(1)
    .map((cells) => Object.fromEntries(cells.map((cell, i) => [fields[i] ?? '', cell])));
  return JSON.stringify({ code: 200, msg: '', data: { list, total: list.length } });
}

export function outcomeOf(call: CallSpec, text: string): string {
  const { code, data }: Envelope = JSON.parse(text);
  if (code !== 200) return String(code);
  if (call.list) return (data as { total: number }).total === 0 ? '200 empty' : '200';
  if (call.bulk) return `200:${(data as { results: { code: number }[] }).results[0]?.code}`;
  return '200';
}

/** Places whose canaries must not appear in the answers to an operator. */
const FOREIGN = { own: ['sibling', 'other', 'parent'], child: ['own', 'sibling', 'other', 'parent'] } as const;

/** Searches an answer for canaries of places outside the viewer's tree. */
export function findLeaks(
  { places }: World,
  viewer: 'own' | 'child',
  text: string,
): { place: string; around: string }[] {
  const superiors = [places.parent, ...(viewer === 'child' ? [places.own] : [])];
  const foreign = FOREIGN[viewer].map((place) => ({ place, canary: places[place].canary }));
  return findLeakedWords(text, foreign, superiors);
}

/** Searches an answer for words that its reader must not see. */
export function findLeakedWords(
  text: string,
  foreign: readonly { place: string; canary: string }[],
  superiors: readonly Pick<PlaceData, 'agent'>[],
): { place: string; around: string }[] {
  // The caller's log contains its own search queries, in exports as words.
  const withoutQueries = text.replaceAll(/\\*"query\\*":\{[^}]*\}|筛选条件 · [^；"]*/g, '');
  // A row names the operator who decided it, even one above the reader.
  const searched = superiors.reduce(
    (left, { agent: { account } }) => left.replaceAll(new RegExp(`"(by|secondBy|operator)":"${account}"`, 'g'), ''),
    withoutQueries,
  );
  return foreign.flatMap(({ place, canary }) => {
    const at = searched.indexOf(canary);
    return at < 0 ? [] : [{ place, around: searched.slice(Math.max(0, at - 60), at + 40) }];
  });
}

function recordAnswer(
  world: World,
  { line, column, viewer }: { line: Line; column: Column; viewer: PlaceData },
  text: string,
  { leaks, answers }: Result,
): void {
  const viewerPlace = viewer === world.places.own ? 'own' : 'child';
  for (const leak of findLeaks(world, viewerPlace, text)) leaks.push({ call: line.name, column, ...leak });
  answers.push({ source: `${line.name} ${column}`, text: normalizeAnswer(world, text) });
}

/** Removes random words and times from an answer, so that two equal worlds can be compared. */
export function normalizeAnswer({ places }: World, text: string): string {
  const withoutCanaries = PLACES.reduce((left, place) => left.replaceAll(places[place].canary, place), text);
  return (
    withoutCanaries
      .replaceAll(
        /(\\*")(createdAt|updatedAt|arrivedAt|creditedAt|lastLoginAt|firstAt|lastAt|at|expire|expiresAt|decidedAt|deletedAt|endedAt|openedAt|finishedAt|lastSeenAt|reviewedAt|oldestAt|triggeredAt|resumeAt|median|p90|now|openAt|settleAt|settledAt|priceAt|recordedAt|madeAt|closedAt|doneAt|sentAt|submittedAt)(\\*"):(?:\d+|"\d[^"]*")/g,
        '$1$2$3:0',
      )
      .replaceAll(/(\\*")(token|device|secret|uri)\1:\1[^"\\]*\1/g, '$1$2$1:$1$1')
      // Hashes, random keys and times are also in the texts of exports and audit rows, under any name.
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/g, '#')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, '0')
      .replaceAll(/([?&]token=)[\w-]+/g, '$1')
  );
}
