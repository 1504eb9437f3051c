// @module-tag full
// @module-tag soak
import { afterAll, expect, test, vi } from 'vitest';
import type * as ScopeModule from '../src/postgres/scope.ts';
import {
  type RoleResult,
  type Role,
  TARGETS,
  type Target,
  expectedOutcome,
  makeRoleWorld,
  runRoles,
} from './matrix-roles.ts';
import { type Line, lines } from './matrix-run.ts';
import { makeWorld } from './matrix-world.ts';
import { sized } from '../../testing/level.ts';
import { testServer } from './server.ts';

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

/** Roles that see a part of the world. The others see everything or nothing, whichever layer is active. */
const PARTIAL: readonly Role[] = sized<Role[]>({ full: ['sibling'], long: ['child', 'sibling', 'parent'] });

/** `rls.test.ts` covers every place as the own operator, which sees as much as a sibling. */
const TESTED_TARGETS = sized<readonly Target[]>({ full: ['child', 'sibling', 'gone'], long: TARGETS });

async function runWithLayers(
  active: { app: boolean; rows: boolean },
  roles: readonly Role[],
  selected: readonly Line[] = lines,
): Promise<RoleResult> {
  const server = await testServer({ jobs: false, withoutRowSecurity: !active.rows });
  layers.app = active.app;
  try {
    return await runRoles(await makeRoleWorld(await makeWorld(server)), selected, roles, TESTED_TARGETS);
  } finally {
    layers.app = true;
    await server.stop();
  }
}

const expectOutcomes = ({ leaks, received }: RoleResult): void => {
  expect(leaks).toEqual([]);
  const mismatches = lines.flatMap((line) =>
    PARTIAL.flatMap((role) =>
      TARGETS.flatMap((target) => {
        const actual = received.get(line.name)?.[role]?.[target];
        const expected = expectedOutcome(line, role, target);
        return actual === undefined || actual === expected
          ? []
          : [`${line.name} ${role} ${target}: ${actual}, not ${expected}`];
      }),
    ),
  );
  expect(mismatches).toEqual([]);
};

test('row-level security alone gives every role the expected answers', async () => {
  expectOutcomes(await runWithLayers({ app: false, rows: true }, PARTIAL));
});

test('the application’s own scoping alone gives every role the expected answers', async () => {
  expectOutcomes(await runWithLayers({ app: true, rows: false }, PARTIAL));
});

test('without both layers a sibling reads the whole tree, so the leak search works', async () => {
  const readers = ['agent.list', 'agent.detail', 'user.list', 'withdraw.detail'];
  const selected = lines.filter(({ name }) => readers.includes(name));
  const { leaks } = await runWithLayers({ app: false, rows: false }, ['sibling'], selected);
  const leaking = new Set(leaks.map(({ call }) => call));
  expect([...leaking]).toEqual(expect.arrayContaining(readers));
  expect(new Set(leaks.map(({ place }) => place)).size).toBeGreaterThan(sized({ full: 1, long: 3 }));
});
