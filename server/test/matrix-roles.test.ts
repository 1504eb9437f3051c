// @module-tag full
// @module-tag soak
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { PASSWORD } from './factories.ts';
import {
  type Cast,
  type Cells,
  type Played,
  ROLES,
  type Role,
  TARGETS,
  expected,
  makeCast,
  play,
} from './matrix-roles.ts';
import { lines } from './matrix-run.ts';
import { makeWorld } from './matrix-world.ts';
import { type TestServer, call, testServer } from './server.ts';

/** Every run of the matrix covers the own operator, and an operator of another tree sees as little as a sibling. */
const ASKED = sized<readonly Role[]>({ full: ROLES.filter((role) => role !== 'own' && role !== 'other'), long: ROLES });

let server: TestServer;
let cast: Cast;
let played: Played;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  cast = await makeCast(await makeWorld(server));
  played = await play(cast, lines, ASKED);
});
afterAll(() => server.stop());

describe('every role gets the expected answer for every place', () => {
  test.each(lines)('$name', (line) => {
    const received = played.received.get(line.name) ?? {};
    const wanted: Cells = {};
    for (const role of ASKED) {
      const cells = Object.keys(received[role] ?? {}).map((target) => TARGETS.find((one) => one === target) ?? 'own');
      wanted[role] = Object.fromEntries(cells.map((target) => [target, expected(line, role, target)]));
    }
    expect(received).toEqual(wanted);
  });
});

test('no answer contains a word that is hidden from the role', () => {
  expect(played.leaks).toEqual([]);
});

test('every possible case was played', () => {
  const all = lines.length * ASKED.length;
  expect(played.asked).toBeGreaterThan(all * 2);
  // Calls about agents or users also need a case with a deleted one.
  const deleted = lines.filter(({ call: spec }) => spec.target === 'agent' || spec.target === 'user');
  const silent = deleted.filter(({ name }) => played.received.get(name)?.parent?.gone === undefined);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a disabled or deleted operator cannot log in', async () => {
  for (const { account } of cast.dead) {
    expect(await call(server, 'POST', 'login', { account, password: PASSWORD })).toMatchObject({ code: 401 });
  }
});
