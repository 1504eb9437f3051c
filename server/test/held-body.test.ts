// @module-tag sized
import type { CallSpec } from '@hengtai/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { makeOperator } from './factories.ts';
import { type HeldRequest, hashTables, holdBody } from './held-body.ts';
import { setPolicy } from './look.ts';
import { type Line, fileAsText, lines, outcomeOf } from './matrix-run.ts';
import { type Place, WORLD_PASSWORD, type World, makeWorld } from './matrix-world.ts';
import { type TestServer, call, login, testServer } from './server.ts';
import { checkBook } from '../src/ledger/check.ts';

/**
 * Covers every call with a body, generated from the contract. The test sends the headers with a valid token, revokes an
 * authority, then sends the body. The call must have no effect.
 */

let server: TestServer;
let world: World;
let url: string;

/** Input of each call. It is created once, because a refused call does not use it up. */
const inputs = new Map<string, object>();

/** The short run tests every third call. */
const every = sized({ short: 3, full: 1 });
const bodies = lines.filter(({ call: spec }) => spec.method === 'POST');
const asked = bodies.filter((_line, n) => n % every === 0);

/** True if a revocation concerns a call, otherwise the reason why not. */
type Applies = (line: Line) => true | string;

const isPublic = ({ call: spec }: Line): boolean => spec.public === true;
const isAdmins = ({ row }: Line): boolean => row.codes.own === '403';

const ofEverybody: Applies = (line) =>
  isPublic(line) ? 'public call' : isAdmins(line) ? "the admin's or head office's own" : true;
const ofAbility: Applies = (line) => {
  const base = ofEverybody(line);
  if (base !== true) return base;
  return line.row.codes.unable === '403' ? true : 'needs no ability';
};
const ofCode: Applies = (line) => {
  const base = ofEverybody(line);
  return base !== true ? base : line.call.fresh ? true : 'needs no fresh code';
};
const ofScope: Applies = (line) => {
  const base = ofEverybody(line);
  if (base !== true) return base;
  const { child, sibling } = line.row.codes;
  if (sibling === '-') return 'names nobody of the tree';
  return child === sibling ? "the owner's alone, or answered alike everywhere" : true;
};
const ofAdmin: Applies = (line) => (isPublic(line) ? 'public call' : isAdmins(line) ? true : 'an operator makes it');

const admins = async (path: string, input: object): Promise<void> => {
  const { code, msg } = await call(server, 'POST', path, input, { token: world.admin });
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
};

/** Opens a session with a fresh one-time code. Codes are switched on in the database. */
async function enter(account: string, id: number): Promise<string> {
  await server.query(sql`update agent set otp_since = null where id = ${id}`);
  const token = await login(server, account, WORLD_PASSWORD);
  await server.query(sql`update agent set otp_since = 1 where id = ${id}`);
  await server.query(sql`update session set fresh_at = ${server.clock.now()} where operator_id = ${id}`);
  return token;
}

/** Reopens the session that the revocation ended, so that only the revoked authority can cause the refusal. */
const revive = (id: number) =>
  server.query(sql`update session set ended_at = null, end_reason = '' where operator_id = ${id}
    and id = (select max(id) from session where operator_id = ${id})`);

const own = (): { id: number; account: string } => world.spots.own.agent;
const enterOwn = (): Promise<string> => enter(own().account, own().id);

interface Revocation {
  name: string;
  applies: Applies;
  place?: Place;
  expected: (line: Line) => string;
  enter: () => Promise<string>;
  revoke: () => Promise<unknown>;
  restore?: () => Promise<unknown>;
}

const ABILITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const switchOwn = async (types: readonly number[], state: 0 | 1): Promise<void> => {
  for (const type of types) await admins('agent/state', { id: own().id, type, state });
};
const lastSession = async (operatorId: number): Promise<number> => {
  const [row] = await server.query(sql<{ id: number }>`
    select max(id) as id from session where operator_id = ${operatorId} and ended_at is null`);
  return row?.id ?? 0;
};
const moveTo = (id: number, parent: string) => admins('agent/parent/change', { id, parent });
let deleted: { id: number; account: string } = { id: 0, account: '' };

const revocations: readonly Revocation[] = [
  {
    name: 'disable',
    applies: ofEverybody,
    expected: () => '400',
    enter: enterOwn,
    revoke: () => switchOwn([0], 0),
    restore: () => switchOwn([0], 1),
  },
  {
    name: 'disable, session alive',
    applies: ofEverybody,
    expected: () => '400',
    enter: enterOwn,
    revoke: async () => {
      await switchOwn([0], 0);
      await revive(own().id);
    },
    restore: () => switchOwn([0], 1),
  },
  {
    name: 'password reset',
    applies: ofEverybody,
    expected: () => '400',
    enter: enterOwn,
    revoke: () => admins('agent/pwd_update', { id: own().id, password: WORLD_PASSWORD }),
  },
  {
    name: 'session kick',
    applies: ofEverybody,
    expected: () => '400',
    enter: enterOwn,
    revoke: async () => admins('session/kick', { id: await lastSession(own().id) }),
  },
  {
    name: 'expiry of the fresh code',
    applies: ofCode,
    expected: () => '428',
    enter: enterOwn,
    revoke: async () => server.clock.move(5 * 60_000),
  },
  {
    name: 'ability',
    applies: ofAbility,
    expected: () => '403',
    enter: enterOwn,
    revoke: async () => {
      await switchOwn(ABILITIES, 0);
      await revive(own().id);
    },
    restore: () => switchOwn(ABILITIES, 1),
  },
  {
    name: 'move of the subtree',
    applies: ofScope,
    place: 'child',
    expected: ({ row }) => row.codes.sibling,
    enter: enterOwn,
    revoke: () => moveTo(world.spots.child.agent.id, world.spots.other.agent.account),
    restore: () => moveTo(world.spots.child.agent.id, own().account),
  },
  {
    name: 'delete',
    applies: ofEverybody,
    expected: () => '400',
    // Insert a deletable operator above the own one: it can act on the own rows, and its parent can succeed it.
    enter: async () => {
      const { parent } = world.spots;
      const made = await makeOperator(server, world.admin, { parent: parent.agent.account, abilities: ABILITIES });
      deleted = made;
      await moveTo(own().id, made.account);
      return enter(made.account, made.id);
    },
    revoke: async () => {
      await setPolicy(server, 'agent.del', 0);
      await admins('agent/del', { deleteId: deleted.id, replaceAccount: world.spots.parent.agent.account });
      await revive(deleted.id);
    },
    restore: () => setPolicy(server, 'agent.del', 1),
  },
  {
    name: "kick of the admin's session",
    applies: ofAdmin,
    expected: () => '400',
    enter: () => login(server),
    revoke: async () => admins('session/kick', { id: await lastSession(1) }),
  },
];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  world = await makeWorld(server);
});
afterAll(async () => {
  printTable();
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

async function inputOf({ name, row }: Line, place: Place): Promise<object> {
  const key = `${name} ${place}`;
  const input = inputs.get(key) ?? (await row.inputs(world, place))[0] ?? {};
  inputs.set(key, input);
  return input;
}

const reached = (spec: CallSpec, text: string): string =>
  outcomeOf(spec, spec.kind === 'export' ? fileAsText(spec, text) : text);

describe('a body that arrives after its authority was revoked', () => {
  test.each(revocations)('$name', async (revocation) => {
    const concerned = asked.filter((line) => revocation.applies(line) === true);
    expect(concerned.length).toBeGreaterThan(0);
    for (const line of concerned) await inputOf(line, revocation.place ?? 'own');
    const token = await revocation.enter();
    const held: [Line, HeldRequest][] = [];
    for (const line of concerned) {
      const input = await inputOf(line, revocation.place ?? 'own');
      held.push([line, await holdBody(server, url, line.call, input, token)]);
    }
    try {
      await revocation.revoke();
      const before = await hashTables(server);
      const answers: Record<string, string> = {};
      for (const [line, request] of held) answers[line.name] = reached(line.call, await request.send());
      const expected = Object.fromEntries(concerned.map((line) => [line.name, revocation.expected(line)]));
      expect(answers).toEqual(expected);
      expect(await hashTables(server)).toEqual(before);
    } finally {
      await revocation.restore?.();
    }
  });

  test('is accepted without a revocation, so nothing else causes the refusals', async () => {
    const token = await enterOwn();
    await server.query(sql`update agent set otp_since = null where id = ${own().id}`);
    const plain = bodies.filter(
      ({ row, call: spec }) => row.codes.own === '200' && spec.kind === 'action' && !row.ends,
    );
    expect(plain.length).toBeGreaterThan(40);
    for (const line of plain.filter((_line, n) => n % (every * 4) === 0)) {
      const input = (await line.row.inputs(world, 'own'))[0] ?? {};
      const held = await holdBody(server, url, line.call, input, token);
      expect([line.name, reached(line.call, await held.send())]).toEqual([line.name, '200']);
    }
  });
});

test('covers every call with a body', () => {
  const left = bodies.filter((line) => !revocations.some(({ applies }) => applies(line) === true));
  expect(left.map(({ name }) => name)).toEqual(['session.login', 'session.redeem']);
});

/** Prints which revocations skip which calls, and why. */
function printTable(): void {
  const rows = revocations.map(({ name, applies }) => {
    const reasons = new Map<string, string[]>();
    for (const line of bodies) {
      const why = applies(line);
      if (why !== true) reasons.set(why, [...(reasons.get(why) ?? []), line.name]);
    }
    const left = [...reasons].map(([why, names]) => `  not: ${why} (${names.length}): ${names.join(' ')}`);
    const count = bodies.filter((line) => applies(line) === true).length;
    return [`${name}: ${count} of ${bodies.length} calls`, ...left].join('\n');
  });
  process.stdout.write(`\n${rows.join('\n')}\n\n`);
}
