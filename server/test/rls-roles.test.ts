// @module-tag full
// @module-tag soak
import { expect, test } from 'vitest';
import { setAppScopingOff } from '../src/db/scope.ts';
import { type Played, type Role, TARGETS, type Target, expected, makeCast, play } from './matrix-roles.ts';
import { type Line, lines } from './matrix-run.ts';
import { makeWorld } from './matrix-world.ts';
import { sized } from '../../testing/level.ts';
import { testServer } from './server.ts';

/** Roles that see a part of the world. The others see everything or nothing, whichever layer is active. */
const PARTIAL: readonly Role[] = sized<Role[]>({ full: ['sibling'], long: ['child', 'sibling', 'parent'] });

/** `rls.test.ts` covers every place as the own operator, which sees as much as a sibling. */
const ASKED_FOR = sized<readonly Target[]>({ full: ['child', 'sibling', 'gone'], long: TARGETS });

async function played(
  nets: { app: boolean; rows: boolean },
  roles: readonly Role[],
  asked: readonly Line[] = lines,
): Promise<Played> {
  const server = await testServer({ jobs: false, withoutRowSecurity: !nets.rows });
  setAppScopingOff(!nets.app);
  try {
    return await play(await makeCast(await makeWorld(server)), asked, roles, ASKED_FOR);
  } finally {
    setAppScopingOff(false);
    await server.stop();
  }
}

const holds = ({ leaks, received }: Played): void => {
  expect(leaks).toEqual([]);
  const wrong = lines.flatMap((line) =>
    PARTIAL.flatMap((role) =>
      TARGETS.flatMap((target) => {
        const got = received.get(line.name)?.[role]?.[target];
        const wanted = expected(line, role, target);
        return got === undefined || got === wanted ? [] : [`${line.name} ${role} ${target}: ${got}, not ${wanted}`];
      }),
    ),
  );
  expect(wrong).toEqual([]);
};

test('row-level security alone gives every role the expected answers', async () => {
  holds(await played({ app: false, rows: true }, PARTIAL));
});

test('the application’s own scoping alone gives every role the expected answers', async () => {
  holds(await played({ app: true, rows: false }, PARTIAL));
});

test('without both layers a sibling reads the whole tree, so the leak search works', async () => {
  const readers = ['agent.list', 'agent.detail', 'user.list', 'withdraw.detail'];
  const asked = lines.filter(({ name }) => readers.includes(name));
  const { leaks } = await played({ app: false, rows: false }, ['sibling'], asked);
  const leaking = new Set(leaks.map(({ call }) => call));
  expect([...leaking]).toEqual(expect.arrayContaining(readers));
  expect(new Set(leaks.map(({ place }) => place)).size).toBeGreaterThan(sized({ full: 1, long: 3 }));
});
