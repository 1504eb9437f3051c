import type { PolicyName } from '@hengtai/contract/authority/actions';
import { type CountKey, countSpecs } from '@hengtai/contract/desk/notify/notification';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MATCH_MINUTES } from '@hengtai/contract/funds/wallet/item';
import { saveBudget } from './auto-payout.ts';
import { setPolicy } from './inspect.ts';
import {
  type World,
  makeAlarmAt,
  makeApprovalAt,
  makeKycAt,
  makeCommandAt,
  makeGrantedMarket,
  makeIeoAt,
  makeWorld,
  makeRechargeAt,
  makeConversationAt,
  makeWithdrawAt,
} from './matrix-world.ts';
import { compareWallets } from '../src/domains/funds/wallet-coin/wallet-coin.jobs.ts';
import { matchOpenMoves } from '../src/domains/funds/wallet/match.jobs.ts';
import { judgeWallets } from '../src/domains/funds/wallet/reading.jobs.ts';
import { type TestServer, apply, call, testServer } from './server.ts';
import { reportMove, saveWallet } from './wallet.ts';

let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  world = await makeWorld(server);
});
afterAll(() => server.stop());

type Row = Record<string, unknown> & { id: number };

interface CountCase {
  /** Creates one more counted record for the user of the own operator. */
  create: (world: World) => Promise<unknown>;
  /** Its answer is a page, or the rows themselves. */
  list: string;
  /** Only full scope sees the rows. */
  isOfHouse?: true;
  /** What a job does after the records were resolved. */
  refresh?: () => Promise<unknown>;
  /** The call that resolves a row of the list; undefined if the row is not counted. */
  resolve: (row: Row) => [path: string, input: object] | undefined;
}

const POLICIES: readonly PolicyName[] = [
  'withdraw.pass',
  'withdraw.refund',
  'withdraw.resolve',
  'house.transfer',
  'walletItem.explain',
];
const reason = { reason: 'because' };

/** A count key without an entry here is a type error. */
const countCases: Record<CountKey, CountCase> = {
  withdrawReview: {
    create: (at) => makeWithdrawAt(at, 'own', 0),
    list: 'withdraw/list',
    resolve: ({ id }) => ['withdraw/reject', { id, ...reason }],
  },
  withdrawSecond: {
    create: async (at) => {
      const id = await makeWithdrawAt(at, 'own', 0);
      expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: at.admin })).code).toBe(202);
    },
    list: 'withdraw/list',
    resolve: ({ id }) => ['withdraw/reject', { id, ...reason }],
  },
  withdrawUnknown: {
    create: (at) => makeWithdrawAt(at, 'own', 8),
    list: 'withdraw/list',
    resolve: ({ id }) => ['withdraw/resolve', { id, paid: true, txHash: '0x1', ...reason }],
  },
  withdrawFailed: {
    create: (at) => makeWithdrawAt(at, 'own', 7),
    list: 'withdraw/list',
    resolve: ({ id }) => ['withdraw/refund', { id, ...reason }],
  },
  rechargeWaiting: {
    create: (at) => makeRechargeAt(at, 'own', 0),
    list: 'recharge/list',
    resolve: ({ id }) => ['recharge/hold', { id, ...reason }],
  },
  rechargeHeld: {
    create: (at) => makeRechargeAt(at, 'own', 3),
    list: 'recharge/list',
    resolve: ({ id }) => ['recharge/release', { id }],
  },
  authReview: {
    create: (at) => makeKycAt(at, 'own'),
    list: 'auth/list',
    resolve: ({ id }) => ['auth/review/reject', { id, ...reason }],
  },
  ieoReview: {
    create: (at) => makeIeoAt(at, 'own'),
    list: 'ieo/order/list',
    resolve: ({ id }) => ['ieo/order/reject', { id, ...reason }],
  },
  approvalOpen: {
    create: (at) => makeApprovalAt(at, 'own'),
    list: 'approval/list',
    resolve: ({ id }) => ['approval/reject', { id, ...reason }],
  },
  alarmOpen: {
    create: (at) => makeAlarmAt(at, 'own'),
    list: 'alarm/list',
    resolve: ({ id }) => ['alarm/close', { id, ...reason }],
  },
  walletDifferent: {
    create: async () => {
      await apply(
        server,
        { type: 'wallet.saved', data: { wallet: 'w', kind: 'hot', market: 'USDT', network: 'TRC20', state: 1 } },
        { type: 'wallet.balance', data: { wallet: 'w', amount: '1000000000' } },
      );
      await judgeWallets(server.app);
      await compareWallets(server.app);
    },
    list: 'wallet/coin/list',
    isOfHouse: true,
    resolve: ({ marketId, difference: amount }) => [
      'house/transfer',
      { marketId, from: 'custody', to: 'capital', amount, txHash: '0x1', ...reason },
    ],
    refresh: () => compareWallets(server.app),
  },
  walletItemOpen: {
    create: async () => {
      await server.query(sql`update config set num = 0 where key = ${MATCH_MINUTES}`);
      await reportMove(server, await saveWallet(server), { kind: 'deposit', amount: '5' });
      await matchOpenMoves(server.app);
    },
    list: 'wallet/item/list',
    isOfHouse: true,
    resolve: ({ id }) => ['wallet/item/explain', { id, own: false, ...reason }],
  },
  walletTransferUnknown: {
    create: async () => {
      const [from, to] = [await saveWallet(server), await saveWallet(server)];
      await server.query(sql`
        insert into wallet_transfer (platform_id, from_id, to_id, amount, state, reason, by_account, created_at, recorded_at, updated_at)
        select f.platform_id, f.id, t.id, 1, 4, '', 'admin', 1, 1, 1 from wallet f, wallet t where f.no = ${from} and t.no = ${to}`);
    },
    list: 'wallet/transfer/list',
    isOfHouse: true,
    resolve: ({ id }) => ['wallet/transfer/resolve', { id, done: true, ...reason }],
  },
  autoStopped: {
    create: async (at) => {
      await saveBudget(server, at.admin);
      await server.query(sql`insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
        values (1, 'failed', ${await makeWithdrawAt(at, 'own', 0)}, 1)`);
    },
    list: 'withdraw/auto/list',
    isOfHouse: true,
    resolve: ({ marketId, updatedAt: seen, causes }) => [
      'withdraw/auto/start',
      { marketId, seen, causes: (causes as { id: number }[]).map(({ id }) => id), ...reason },
    ],
  },
  marketHalted: {
    create: (at) => makeGrantedMarket(at, 'own', 'halted'),
    list: 'market/plan/list',
    resolve: ({ id, marketType }) => ['market/plan/resume', { id, marketType, ...reason }],
  },
  serviceUnread: {
    create: (at) => makeConversationAt(at, 'own'),
    list: 'service/list',
    resolve: ({ id, lastId }) => ['service/read', { id, upTo: lastId }],
  },
  commandUnknown: {
    create: (at) => makeCommandAt(at, 'own'),
    list: 'command/list',
    // A payout is counted through its withdrawal.
    resolve: ({ id, type }) => (type === 'withdraw.payout' ? undefined : ['command/resolve', { id, state: 2 }]),
  },
};

const setPolicies = async (mode: 0 | 1, names: readonly PolicyName[] = POLICIES): Promise<void> => {
  for (const name of names) await setPolicy(server, name, mode);
};

test.each(Object.entries(countCases) as [CountKey, CountCase][])(
  'the list behind %s shows the counted rows, and an operator can bring the count to zero',
  async (key, { create, list, resolve, refresh, isOfHouse }) => {
    const token = isOfHouse ? world.admin : world.places.own.agent.token;
    const count = async () => (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data[key];
    await setPolicies(1);
    await setPolicies(0, ['withdraw.pass']);
    if (key === 'withdrawSecond') await setPolicies(1, ['withdraw.pass']);
    await create(world);
    // Rows that wait for a checker are counted as approvals, so the policies are off for the rest.
    await setPolicies(0);
    expect(await count()).toBeGreaterThan(0);
    const query = Object.fromEntries(new URLSearchParams(countSpecs[key].query));
    const input = { ...query, ...(!isOfHouse && { size: 200 }) };
    const type = key === 'ieoReview' ? { type: 'review' } : {};
    const { data } = await call<{ list: Row[] } | Row[]>(server, 'GET', list, { ...input, ...type }, { token });
    for (const row of Array.isArray(data) ? data : data.list) {
      const action = resolve(row);
      if (action) expect((await call(server, 'POST', ...action, { token })).code).toBe(200);
    }
    await refresh?.();
    expect(await count()).toBe(0);
  },
);
