// @module-tag full
import { beforeAll, describe, expect, test } from 'vitest';
import { setAppScopingOff } from '../src/db/scope.ts';
import type { Column } from './matrix-cases.ts';
import { type Line, type Result, alike, ask, leaksIn, lines, runMatrix } from './matrix-run.ts';
import { type World, makeWorld } from './matrix-world.ts';
import { nextDayAt, testServer } from './server.ts';

const SCOPE_COLUMNS: readonly Column[] = [
  'own',
  'child',
  'sibling',
  'other',
  'parent',
  'absent',
  'unable+absent',
  'sibling+moved',
];

/** Every world starts at the same time of the same day, because answers depend on the day. */
const BEGINS = nextDayAt(9, Date.now());

/** Runs the scope columns of the matrix without one of the two layers, or without both. */
async function runScope(options: { app: boolean; rows: boolean }, asked = lines): Promise<Result> {
  const server = await testServer({ jobs: false, withoutRowSecurity: !options.rows });
  server.clock.move(BEGINS - server.clock.now());
  setAppScopingOff(!options.app);
  try {
    const world = await makeWorld(server);
    const result = await runMatrix(world, SCOPE_COLUMNS, asked);
    await readWhole(world, result, asked);
    return result;
  } finally {
    setAppScopingOff(false);
    await server.stop();
  }
}

/** Makes every call without a target, as an operator and as one below it. */
async function readWhole(world: World, { leaks, answers }: Result, asked: readonly Line[]): Promise<void> {
  for (const { name, call: spec } of asked.filter(({ call: { method, target } }) => method === 'GET' && !target)) {
    for (const seer of ['own', 'child'] as const) {
      const text = await ask(world, spec, spec.list ? { size: 200 } : {}, world.spots[seer].agent.token);
      for (const leak of leaksIn(world, seer, text)) leaks.push({ call: name, column: 'all', ...leak });
      const total = /"total":(\d+)/.exec(text)?.[1];
      answers.push({
        about: `${name} of ${seer}`,
        text: spec.list ? `${total}` : alike(world, text),
      });
    }
  }
}

describe('each layer protects alone', () => {
  let rows: Result;
  let app: Result;
  const comparable = ({ answers }: Result): Result['answers'] =>
    // These differ between two worlds anyway: sums by second of settlement, waiting times, salted proofs.
    answers.filter(({ about }) => !/^(session\.me of|second\.risk |report\.(work|liability|proof)\w* )/.test(about));
  /** Answers that differ, each from shortly before its first difference. */
  const differing = (one: Result, other: Result): object[] => {
    const others = comparable(other);
    return comparable(one).flatMap(({ about, text }, i) => {
      const beside = others[i] ?? { about: '', text: '' };
      if (about === beside.about && text === beside.text) return [];
      let from = 0;
      while (from < text.length && text[from] === beside.text[from]) from += 1;
      from = Math.max(0, from - 80);
      return [
        { about, beside: beside.about, one: text.slice(from, from + 240), other: beside.text.slice(from, from + 240) },
      ];
    });
  };

  beforeAll(async () => {
    rows = await runScope({ app: false, rows: true });
    app = await runScope({ app: true, rows: false });
  });

  const holds = (alone: Result): void => {
    expect(alone.leaks).toEqual([]);
    for (const { name, row } of lines) {
      const expected = SCOPE_COLUMNS.filter((column) => row.codes[column] !== '-').map((column) => [
        column,
        row.codes[column],
      ]);
      expect([name, alone.received.get(name)]).toEqual([name, Object.fromEntries(expected)]);
    }
  };

  test('row-level security without the application’s own scoping', () => {
    holds(rows);
  });

  test('the application’s own scoping without row-level security', () => {
    holds(app);
  });

  // Each layer only hides rows. If both give the same answers alone, they also give them together.
  test('counts, sums and hints are equal with either layer', () => {
    const others = differing(rows, app);
    expect(others, JSON.stringify(others.slice(0, 3))).toEqual([]);
    expect(comparable(rows)).toHaveLength(comparable(app).length);
  });

  test('without both layers everything leaks, so the leak search works', async () => {
    const readers = ['agent.list', 'user.list', 'withdraw.list', 'withdraw.detail', 'approval.list', 'audit.list'];
    const asked = lines.filter(({ name }) => name === 'withdraw.pass' || readers.includes(name));
    const bare = await runScope({ app: false, rows: false }, asked);
    const leaking = new Set(bare.leaks.map(({ call }) => call));
    expect([...leaking]).toEqual(expect.arrayContaining(readers));
    expect(bare.received.get('withdraw.pass')).toMatchObject({
      sibling: '200',
      other: '200',
      parent: '200',
      absent: '404',
    });
  });
});
