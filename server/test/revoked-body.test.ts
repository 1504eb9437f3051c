// @module-tag sized
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { makeOperator } from './factories.ts';
import { type PendingRequest, hashTables, sendHeaders } from './pending-request.ts';
import { setPolicy } from './inspect.ts';
import { type Line, fileAsText, lines, outcomeOf } from './matrix-run.ts';
import { type Place, WORLD_PASSWORD, type World, makeWorld } from './matrix-world.ts';
import { type TestServer, call, login, testServer } from './server.ts';
import { checkBook } from '../src/books/ledger/check.ts';

/**
 * Covers every call with a body, generated from the contract. The test sends the headers with a valid token, revokes an
 * authority, then sends the body. The call must have no effect.
 */

let server: TestServer;
let world: World;
let url: string;

/** Input of each call. It is created once, because a refused call does not use it up. */
const inputs = new Map<string, object>();

/** In the short run each revocation meets every third call; the seed chooses which. */
const samplingStep = sized({ short: 3, full: 1 });
const seed = Number(process.env['TEST_SEED']);
const bodyCalls = lines.filter(({ call: spec }) => spec.method === 'POST');

/** True if a revocation concerns a call, otherwise the reason why not. */
type AppliesTo = (line: Line) => true | string;

const isPublic = ({ call: spec }: Line): boolean => spec.public === true;
const isAdminOnly = ({ row }: Line): boolean => row.codes.own === '403';

const appliesToOperators: AppliesTo = (line) =>
  isPublic(line) ? 'public call' : isAdminOnly(line) ? "the admin's or head office's own" : true;
const appliesToAbility: AppliesTo = (line) => {
  const base = appliesToOperators(line);
  if (base !== true) return base;
  return line.row.codes.unable === '403' ? true : 'needs no ability';
};
const appliesToFreshCode: AppliesTo = (line) => {
  const base = appliesToOperators(line);
  return base !== true ? base : line.call.fresh ? true : 'needs no fresh code';
};
const appliesToScope: AppliesTo = (line) => {
  const base = appliesToOperators(line);
  if (base !== true) return base;
  const { child, sibling } = line.row.codes;
  if (sibling === '-') return 'names no row of the tree';
  return child === sibling ? 'same outcome in every scope, or for the owner only' : true;
};
const appliesToAdmin: AppliesTo = (line) =>
  isPublic(line) ? 'public call' : isAdminOnly(line) ? true : 'an operator makes it';

const callAsAdmin = async (path: string, input: object): Promise<void> => {
  const { code, msg } = await call(server, 'POST', path, input, { token: world.admin });
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
};

/** Opens a session with a fresh one-time code. Codes are switched on in the database. */
async function openSession(account: string, id: number): Promise<string> {
  await server.query(sql`update agent set otp_since = null where id = ${id}`);
  const token = await login(server, account, WORLD_PASSWORD);
  await server.query(sql`update agent set otp_since = 1 where id = ${id}`);
  await server.query(sql`update session set fresh_at = ${server.clock.now()} where operator_id = ${id}`);
  return token;
}

/** Reopens the session that the revocation ended, so that only the revoked authority can cause the refusal. */
const reopenSession = (id: number) =>
  server.query(sql`update session set ended_at = null, end_reason = '' where operator_id = ${id}
    and id = (select max(id) from session where operator_id = ${id})`);

const ownAgent = (): { id: number; account: string } => world.places.own.agent;
const openOwnSession = (): Promise<string> => openSession(ownAgent().account, ownAgent().id);

interface Revocation {
  name: string;
  applies: AppliesTo;
  place?: Place;
  expected: (line: Line) => string;
  openSession: () => Promise<string>;
  revoke: () => Promise<unknown>;
  restore?: () => Promise<unknown>;
}

const ABILITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const setOwnAbilities = async (types: readonly number[], state: 0 | 1): Promise<void> => {
  for (const type of types) await callAsAdmin('agent/state', { id: ownAgent().id, type, state });
};
const fetchLastSession = async (operatorId: number): Promise<number> => {
  const [row] = await server.query(sql<{ id: number }>`
    select max(id) as id from session where operator_id = ${operatorId} and ended_at is null`);
  return row?.id ?? 0;
};
const moveAgent = (id: number, parent: string) => callAsAdmin('agent/parent/change', { id, parent });
let deleted: { id: number; account: string } = { id: 0, account: '' };

const revocations: readonly Revocation[] = [
  {
    name: 'disable',
    applies: appliesToOperators,
    expected: () => '400',
    openSession: openOwnSession,
    revoke: () => setOwnAbilities([0], 0),
    restore: () => setOwnAbilities([0], 1),
  },
  {
    name: 'disable, session alive',
    applies: appliesToOperators,
    expected: () => '400',
    openSession: openOwnSession,
    revoke: async () => {
      await setOwnAbilities([0], 0);
      await reopenSession(ownAgent().id);
    },
    restore: () => setOwnAbilities([0], 1),
  },
  {
    name: 'password reset',
    applies: appliesToOperators,
    expected: () => '400',
    openSession: openOwnSession,
    revoke: () => callAsAdmin('agent/pwd_update', { id: ownAgent().id, password: WORLD_PASSWORD }),
  },
  {
    name: 'session kick',
    applies: appliesToOperators,
    expected: () => '400',
    openSession: openOwnSession,
    revoke: async () => callAsAdmin('session/kick', { id: await fetchLastSession(ownAgent().id) }),
  },
  {
    name: 'expiry of the fresh code',
    applies: appliesToFreshCode,
    expected: () => '428',
    openSession: openOwnSession,
    revoke: async () => server.clock.move(5 * 60_000),
  },
  {
    name: 'ability',
    applies: appliesToAbility,
    expected: () => '403',
    openSession: openOwnSession,
    revoke: async () => {
      await setOwnAbilities(ABILITIES, 0);
      await reopenSession(ownAgent().id);
    },
    restore: () => setOwnAbilities(ABILITIES, 1),
  },
  {
    name: 'move of the subtree',
    applies: appliesToScope,
    place: 'child',
    expected: ({ row }) => row.codes.sibling,
    openSession: openOwnSession,
    revoke: () => moveAgent(world.places.child.agent.id, world.places.other.agent.account),
    restore: () => moveAgent(world.places.child.agent.id, ownAgent().account),
  },
  {
    name: 'delete',
    applies: appliesToOperators,
    expected: () => '400',
    // Insert a deletable operator above the own one: it can act on the own rows, and its parent can succeed it.
    openSession: async () => {
      const { parent } = world.places;
      const operator = await makeOperator(server, world.admin, { parent: parent.agent.account, abilities: ABILITIES });
      deleted = operator;
      await moveAgent(ownAgent().id, operator.account);
      return openSession(operator.account, operator.id);
    },
    revoke: async () => {
      await setPolicy(server, 'agent.del', 0);
      await callAsAdmin('agent/del', { deleteId: deleted.id, replaceAccount: world.places.parent.agent.account });
      await reopenSession(deleted.id);
    },
    restore: () => setPolicy(server, 'agent.del', 1),
  },
  {
    name: "kick of the admin's session",
    applies: appliesToAdmin,
    expected: () => '400',
    openSession: () => login(server),
    revoke: async () => callAsAdmin('session/kick', { id: await fetchLastSession(1) }),
  },
];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  world = await makeWorld(server);
  // Before any revocation, because some inputs need a session of the own operator.
  for (const { applies, place = 'own' } of revocations)
    for (const line of bodyCalls) if (applies(line) === true) await fetchInput(line, place);
});
afterAll(async () => {
  printTable();
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

async function fetchInput({ name, row }: Line, place: Place): Promise<object> {
  const key = `${name} ${place}`;
  const input = inputs.get(key) ?? (await row.inputs(world, place))[0] ?? {};
  inputs.set(key, input);
  return input;
}

const readOutcome = (spec: CallSpec, text: string): string =>
  outcomeOf(spec, spec.kind === 'export' ? fileAsText(spec, text) : text);

describe('a body that arrives after its authority was revoked', () => {
  test.each(revocations)('$name', async (revocation) => {
    const turn = seed + revocations.indexOf(revocation);
    const applicable = bodyCalls
      .filter((line) => revocation.applies(line) === true)
      .filter((_line, n) => (n + turn) % samplingStep === 0);
    expect(applicable.length).toBeGreaterThan(0);
    const token = await revocation.openSession();
    const pendingRequests: [Line, PendingRequest][] = [];
    for (const line of applicable) {
      const input = await fetchInput(line, revocation.place ?? 'own');
      pendingRequests.push([line, await sendHeaders(server, url, line.call, input, token)]);
    }
    try {
      await revocation.revoke();
      const before = await hashTables(server);
      const answers: Record<string, string> = {};
      for (const [line, request] of pendingRequests) answers[line.name] = readOutcome(line.call, await request.send());
      const expected = Object.fromEntries(applicable.map((line) => [line.name, revocation.expected(line)]));
      expect(answers).toEqual(expected);
      expect(await hashTables(server)).toEqual(before);
    } finally {
      await revocation.restore?.();
    }
  });

  test('is accepted without a revocation, so nothing else causes the refusals', async () => {
    const token = await openOwnSession();
    // The revocations ended the session in which inputs are prepared.
    world.places.own.agent.token = token;
    await server.query(sql`update agent set otp_since = null where id = ${ownAgent().id}`);
    const actionCalls = bodyCalls.filter(
      ({ row, call: spec }) => row.codes.own === '200' && spec.kind === 'action' && !row.endsSession,
    );
    expect(actionCalls.length).toBeGreaterThan(40);
    for (const line of actionCalls.filter((_line, n) => n % (samplingStep * 4) === 0)) {
      const input = (await line.row.inputs(world, 'own'))[0] ?? {};
      const pendingRequest = await sendHeaders(server, url, line.call, input, token);
      expect([line.name, readOutcome(line.call, await pendingRequest.send())]).toEqual([line.name, '200']);
    }
  });
});

test('covers every call with a body', () => {
  const uncovered = bodyCalls.filter((line) => !revocations.some(({ applies }) => applies(line) === true));
  expect(uncovered.map(({ name }) => name)).toEqual([
    'session.login',
    'session.redeem',
    'passkey.loginBegin',
    'passkey.login',
    'oidc.begin',
    'oidc.login',
  ]);
});

/** Prints which revocations skip which calls, and why. */
function printTable(): void {
  const rows = revocations.map(({ name, applies }) => {
    const reasons = new Map<string, string[]>();
    for (const line of bodyCalls) {
      const reason = applies(line);
      if (reason !== true) reasons.set(reason, [...(reasons.get(reason) ?? []), line.name]);
    }
    const skipped = [...reasons].map(([reason, names]) => `  not: ${reason} (${names.length}): ${names.join(' ')}`);
    const count = bodyCalls.filter((line) => applies(line) === true).length;
    return [`${name}: ${count} of ${bodyCalls.length} calls`, ...skipped].join('\n');
  });
  process.stdout.write(`\n${rows.join('\n')}\n\n`);
}
