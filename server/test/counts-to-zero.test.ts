import type { PolicyName } from '@hengtai/contract/approval';
import { type CountKey, countSpecs } from '@hengtai/contract/notify';
import type { Counts } from '@hengtai/contract/notify.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPolicy } from './look.ts';
import {
  type World,
  alarmAt,
  approvalAt,
  kycAt,
  commandAt,
  grantedMarket,
  ieoAt,
  makeWorld,
  rechargeAt,
  supportAt,
  withdrawAt,
} from './matrix-world.ts';
import { type TestServer, call, testServer } from './server.ts';

let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  world = await makeWorld(server);
});
afterAll(() => server.stop());

type Row = Record<string, unknown> & { id: number };

interface Way {
  /** Creates one more counted record for the user of the own operator. */
  make: (world: World) => Promise<unknown>;
  list: string;
  /** The call that resolves a row of the list; undefined if the row is not counted. */
  finish: (row: Row) => [path: string, input: object] | undefined;
}

const POLICIES: readonly PolicyName[] = ['withdraw.pass', 'withdraw.refund', 'withdraw.resolve'];
const because = { reason: 'because' };

/** A count key without an entry here is a type error. */
const ways: Record<CountKey, Way> = {
  withdrawReview: {
    make: (at) => withdrawAt(at, 'own', 0),
    list: 'withdraw/list',
    finish: ({ id }) => ['withdraw/reject', { id, ...because }],
  },
  withdrawSecond: {
    make: async (at) => {
      const id = await withdrawAt(at, 'own', 0);
      expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: at.admin })).code).toBe(202);
    },
    list: 'withdraw/list',
    finish: ({ id }) => ['withdraw/reject', { id, ...because }],
  },
  withdrawUnknown: {
    make: (at) => withdrawAt(at, 'own', 8),
    list: 'withdraw/list',
    finish: ({ id }) => ['withdraw/resolve', { id, paid: true, txHash: '0x1', ...because }],
  },
  withdrawFailed: {
    make: (at) => withdrawAt(at, 'own', 7),
    list: 'withdraw/list',
    finish: ({ id }) => ['withdraw/refund', { id, ...because }],
  },
  rechargeWaiting: {
    make: (at) => rechargeAt(at, 'own', 0),
    list: 'recharge/list',
    finish: ({ id }) => ['recharge/hold', { id, ...because }],
  },
  rechargeHeld: {
    make: (at) => rechargeAt(at, 'own', 3),
    list: 'recharge/list',
    finish: ({ id }) => ['recharge/release', { id }],
  },
  authReview: {
    make: (at) => kycAt(at, 'own'),
    list: 'auth/list',
    finish: ({ id }) => ['auth/review/reject', { id, ...because }],
  },
  ieoReview: {
    make: (at) => ieoAt(at, 'own'),
    list: 'ieo/order/list',
    finish: ({ id }) => ['ieo/order/reject', { id, ...because }],
  },
  approvalOpen: {
    make: (at) => approvalAt(at, 'own'),
    list: 'approval/list',
    finish: ({ id }) => ['approval/reject', { id, ...because }],
  },
  alarmOpen: {
    make: (at) => alarmAt(at, 'own'),
    list: 'alarm/list',
    finish: ({ id }) => ['alarm/close', { id, ...because }],
  },
  marketHalted: {
    make: (at) => grantedMarket(at, 'own', 'halted'),
    list: 'market/plan/list',
    finish: ({ id, marketType }) => ['market/plan/resume', { id, marketType, ...because }],
  },
  serviceUnread: {
    make: (at) => supportAt(at, 'own'),
    list: 'service/list',
    finish: ({ id, lastId }) => ['service/read', { id, upTo: lastId }],
  },
  commandUnknown: {
    make: (at) => commandAt(at, 'own'),
    list: 'command/list',
    // A payout is counted through its withdrawal.
    finish: ({ id, type }) => (type === 'withdraw.payout' ? undefined : ['command/resolve', { id, state: 2 }]),
  },
};

const setPolicies = async (mode: 0 | 1, names: readonly PolicyName[] = POLICIES): Promise<void> => {
  for (const name of names) await setPolicy(server, name, mode);
};

test.each(Object.entries(ways) as [CountKey, Way][])(
  'the list behind %s shows the counted rows, and an operator can bring the count to zero',
  async (key, { make, list, finish }) => {
    const { token } = world.spots.own.agent;
    const count = async () => (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data[key];
    await setPolicies(1);
    await setPolicies(0, ['withdraw.pass']);
    if (key === 'withdrawSecond') await setPolicies(1, ['withdraw.pass']);
    await make(world);
    // Rows that wait for a checker are counted as approvals, so the policies are off for the rest.
    await setPolicies(0);
    expect(await count()).toBeGreaterThan(0);
    const input = { ...Object.fromEntries(new URLSearchParams(countSpecs[key].query)), size: 200 };
    const type = key === 'ieoReview' ? { type: 'review' } : {};
    const page = await call<{ list: Row[] }>(server, 'GET', list, { ...input, ...type }, { token });
    for (const row of page.data.list) {
      const action = finish(row);
      if (action) expect((await call(server, 'POST', ...action, { token })).code).toBe(200);
    }
    expect(await count()).toBe(0);
  },
);
