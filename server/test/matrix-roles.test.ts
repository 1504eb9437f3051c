// @module-tag full
// @module-tag soak
import { afterAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { PASSWORD } from './factories.ts';
import {
  type RoleWorld,
  type Cells,
  type RoleResult,
  ROLES,
  type Role,
  expectedOutcome,
  makeRoleWorld,
  runRoles,
  targetsOf,
} from './matrix-roles.ts';
import { beforeLines, lines } from './matrix-run.ts';
import { makeWorld } from './matrix-world.ts';
import { type TestServer, call, testServer } from './server.ts';

/** Every run of the matrix covers the own operator, and an operator of another tree sees as little as a sibling. */
const TESTED_ROLES = sized<readonly Role[]>({
  full: ROLES.filter((role) => role !== 'own' && role !== 'other'),
  long: ROLES,
});

let server: TestServer;
let roleWorld: RoleWorld;
let result: RoleResult;

beforeLines(async (selected) => {
  server = await testServer({ jobs: false });
  roleWorld = await makeRoleWorld(await makeWorld(server));
  result = await runRoles(roleWorld, selected, TESTED_ROLES);
});
afterAll(() => server.stop());

describe('every role gets the expected answer for every place', () => {
  test.each(lines)('$name', (line) => {
    const received = result.received.get(line.name) ?? {};
    // Only calls about agents or users have a case with a deleted one for sure.
    const hasGone = line.call.target === 'agent' || line.call.target === 'user';
    const expectedCells: Cells = {};
    for (const role of TESTED_ROLES) {
      const targets = targetsOf(line, role).filter(
        (target) => target !== 'gone' || hasGone || received[role]?.gone !== undefined,
      );
      expectedCells[role] = Object.fromEntries(targets.map((target) => [target, expectedOutcome(line, role, target)]));
    }
    expect(received).toEqual(expectedCells);
  });
});

test('no answer contains a word that is hidden from the role', () => {
  expect(result.leaks).toEqual([]);
});

test('a disabled or deleted operator cannot log in', async () => {
  for (const { account } of roleWorld.blocked) {
    expect(await call(server, 'POST', 'login', { account, password: PASSWORD })).toMatchObject({ code: 401 });
  }
});
