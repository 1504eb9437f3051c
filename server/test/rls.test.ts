// @module-tag full
// @module-tag soak
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as ScopeModule from '../src/database/scope.ts';
import { sized } from '../../testing/level.ts';
import type { Column } from './matrix-cases.ts';
import {
  type Role,
  type RoleResult,
  TARGETS,
  type Target,
  expectedOutcome,
  makeRoleWorld,
  runRoles,
  targetsOf,
} from './matrix-roles.ts';
import { type Line, type Result, normalizeAnswer, fetchAnswer, findLeaks, lines, runMatrix } from './matrix-run.ts';
import { type World, makeWorld } from './matrix-world.ts';
import { nextDayAt, testServer } from './server.ts';

const layers = vi.hoisted(() => {
  // Other test files of this worker may have loaded the modules with the real conditions.
  vi.resetModules();
  return { app: true };
});
vi.mock('../src/database/scope.ts', async (original) => {
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

/** Roles that see a part of the world. The others see everything or nothing, whichever layer is active. */
const PARTIAL = sized<readonly Role[]>({ full: ['sibling'], long: ['child', 'sibling', 'parent'] });
/** The scope columns cover every other place as the own operator, which sees as much as a sibling. */
const ROLE_TARGETS = sized<readonly Target[]>({ full: ['child', 'sibling', 'gone'], long: TARGETS });

interface Layers {
  app: boolean;
  rows: boolean;
}

/** Every world starts at the same time of the same day, because answers depend on the day. */
const START_TIME = nextDayAt(9, Date.now());

/** Plays in a new world without one of the two layers, or without both. */
async function playIn<T>(active: Layers, play: (world: World) => Promise<T>): Promise<T> {
  const server = await testServer({ jobs: false, withoutRowSecurity: !active.rows });
  server.clock.move(START_TIME - server.clock.now());
  layers.app = active.app;
  try {
    return await play(await makeWorld(server));
  } finally {
    layers.app = true;
    await server.stop();
  }
}

/** Runs the scope columns of the matrix. */
const runScope = (active: Layers, selected = lines): Promise<Result> =>
  playIn(active, async (world) => {
    const result = await runMatrix(world, selected, (_line, column) => SCOPE_COLUMNS.includes(column));
    await readUnfiltered(world, result, selected);
    return result;
  });

const runPartialRoles = (active: Layers, selected = lines): Promise<RoleResult> =>
  playIn(active, async (world) =>
    runRoles(await makeRoleWorld(world), selected, PARTIAL, (line, role) =>
      line.row.codes.child === '-' ? targetsOf(line, role) : ROLE_TARGETS,
    ),
  );

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

describe('each layer alone gives every role the expected answers', () => {
  test.each([
    { name: 'row-level security', app: false, rows: true },
    { name: 'the application’s own scoping', app: true, rows: false },
  ])('$name', async (active) => {
    const { leaks, received } = await runPartialRoles(active);
    expect(leaks).toEqual([]);
    const outcomes = lines.flatMap((line) =>
      PARTIAL.flatMap((role) =>
        TARGETS.flatMap((target) => {
          const actual = received.get(line.name)?.[role]?.[target];
          return actual === undefined ? [] : [{ line, role, target, actual }];
        }),
      ),
    );
    expect(outcomes.length).toBeGreaterThan(lines.length / 2);
    const wrong = outcomes.filter(({ line, role, target, actual }) => actual !== expectedOutcome(line, role, target));
    expect(wrong.map(({ line: { name }, ...cell }) => ({ name, ...cell }))).toEqual([]);
  });

  test('without both layers a sibling reads the whole tree, so the leak search works', async () => {
    const readers = ['agent.list', 'agent.detail', 'user.list', 'withdraw.detail'];
    const selected = lines.filter(({ name }) => readers.includes(name));
    const { leaks } = await runPartialRoles({ app: false, rows: false }, selected);
    expect([...new Set(leaks.map(({ call }) => call))]).toEqual(expect.arrayContaining(readers));
    expect(new Set(leaks.map(({ place }) => place)).size).toBeGreaterThan(sized({ full: 1, long: 3 }));
  });
});
