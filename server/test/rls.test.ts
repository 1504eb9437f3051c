// @module-tag full
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as ScopeModule from '../src/postgres/scope.ts';
import type { Column } from './matrix-cases.ts';
import { type Line, type Result, normalizeAnswer, fetchAnswer, findLeaks, lines, runMatrix } from './matrix-run.ts';
import { type World, makeWorld } from './matrix-world.ts';
import { nextDayAt, testServer } from './server.ts';

const layers = vi.hoisted(() => {
  // Other test files of this worker may have loaded the modules with the real conditions.
  vi.resetModules();
  return { app: true };
});
vi.mock('../src/postgres/scope.ts', async (original) => {
  const { switchScopeLayer } = await import('./scope-layer.ts');
  return switchScopeLayer(await original<typeof ScopeModule>(), layers);
});
afterAll(() => vi.resetModules());

const SCOPE_COLUMNS: readonly Column[] = [
  'own',
  'child',
  'sibling',
  'other',
  'parent',
  'absent',
  'unable+absent',
  'sibling+conflict',
];

/** Every world starts at the same time of the same day, because answers depend on the day. */
const START_TIME = nextDayAt(9, Date.now());

/** Runs the scope columns of the matrix without one of the two layers, or without both. */
async function runScope(options: { app: boolean; rows: boolean }, selected = lines): Promise<Result> {
  const server = await testServer({ jobs: false, withoutRowSecurity: !options.rows });
  server.clock.move(START_TIME - server.clock.now());
  layers.app = options.app;
  try {
    const world = await makeWorld(server);
    const result = await runMatrix(world, SCOPE_COLUMNS, selected);
    await readUnfiltered(world, result, selected);
    return result;
  } finally {
    layers.app = true;
    await server.stop();
  }
}

/** Makes every call without a target, as an operator and as one below it. */
async function readUnfiltered(world: World, { leaks, answers }: Result, selected: readonly Line[]): Promise<void> {
  for (const { name, call: spec } of selected.filter(({ call: { method, target } }) => method === 'GET' && !target)) {
    for (const viewer of ['own', 'child'] as const) {
      const text = await fetchAnswer(world, spec, spec.list ? { size: 200 } : {}, world.places[viewer].agent.token);
      for (const leak of findLeaks(world, viewer, text)) leaks.push({ call: name, column: 'all', ...leak });
      const total = /"total":(\d+)/.exec(text)?.[1];
      answers.push({
        source: `${name} of ${viewer}`,
        text: spec.list ? `${total}` : normalizeAnswer(world, text),
      });
    }
  }
}

describe('each layer protects alone', () => {
  let rows: Result;
  let app: Result;
  const comparableAnswers = ({ answers }: Result): Result['answers'] =>
    // These differ between two worlds anyway: sums by second of settlement, waiting times, salted proofs, random keys and
    // challenges, times of claims and of requested answers.
    answers.filter(
      ({ source }) =>
        !/^(session\.me of|second\.risk |announce\.imageAdd |passkey\.(enrol|loginBegin) |queue\.claim |screening\.request\w+ |signing\.(enrol|mine)\b|report\.(work|liability|proof)\w* )/.test(
          source,
        ),
    );
  /** Answers that differ, each from shortly before its first difference. */
  const findDifferences = (one: Result, other: Result): object[] => {
    const others = comparableAnswers(other);
    return comparableAnswers(one).flatMap(({ source, text }, i) => {
      const otherAnswer = others[i] ?? { source: '', text: '' };
      if (source === otherAnswer.source && text === otherAnswer.text) return [];
      let from = 0;
      while (from < text.length && text[from] === otherAnswer.text[from]) from += 1;
      from = Math.max(0, from - 80);
      return [
        {
          source,
          otherSource: otherAnswer.source,
          one: text.slice(from, from + 240),
          other: otherAnswer.text.slice(from, from + 240),
        },
      ];
    });
  };

  beforeAll(async () => {
    rows = await runScope({ app: false, rows: true });
    app = await runScope({ app: true, rows: false });
  });

  const expectCodes = (result: Result): void => {
    expect(result.leaks).toEqual([]);
    for (const { name, row } of lines) {
      const expected = SCOPE_COLUMNS.filter((column) => row.codes[column] !== '-').map((column) => [
        column,
        row.codes[column],
      ]);
      expect([name, result.received.get(name)]).toEqual([name, Object.fromEntries(expected)]);
    }
  };

  test('row-level security without the application’s own scoping', () => {
    expectCodes(rows);
  });

  test('the application’s own scoping without row-level security', () => {
    expectCodes(app);
  });

  // Each layer only hides rows. If both give the same answers alone, they also give them together.
  test('counts, sums and hints are equal with either layer', () => {
    const differences = findDifferences(rows, app);
    expect(differences, JSON.stringify(differences.slice(0, 3))).toEqual([]);
    expect(comparableAnswers(rows)).toHaveLength(comparableAnswers(app).length);
  });

  test('without both layers everything leaks, so the leak search works', async () => {
    const readers = ['agent.list', 'user.list', 'withdraw.list', 'withdraw.detail', 'approval.list', 'audit.list'];
    const selected = lines.filter(({ name }) => name === 'withdraw.pass' || readers.includes(name));
    const unprotected = await runScope({ app: false, rows: false }, selected);
    const leaking = new Set(unprotected.leaks.map(({ call }) => call));
    expect([...leaking]).toEqual(expect.arrayContaining(readers));
    expect(unprotected.received.get('withdraw.pass')).toMatchObject({
      sibling: '200',
      other: '200',
      parent: '200',
      absent: '404',
    });
  });
});
