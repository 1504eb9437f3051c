import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { alarmText } from '@hengtai/contract/house/alarm/calls';
import type { Page } from '@hengtai/contract/wire/list';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectRejection, makeMarket } from '../../test/book.ts';
import { type TestDatabase, startedDatabase } from '../../test/database.ts';
import { makeUser, recharge } from '../../test/factories.ts';
import {
  ADMIN,
  type TestServer,
  apply,
  platformCall,
  call,
  login,
  send,
  testServer,
  unique,
} from '../../test/server.ts';
import { setup } from './setup.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestServer;
let admin: string;
let user: string;

const open = { recharge: 1, withdraw: 1, fee: '1', explorer: '' } as const;
const listed = [
  { network: 'TRC20', ...open },
  { network: 'Ethereum', ...open },
  { network: 'Solana', ...open, withdraw: 0 },
];
/** Of the coin with listed networks: network, days ago, and source of a recharge or a withdrawal. */
const records: [network: string, daysAgo: number, what: 1 | 2 | 'withdraw'][] = [
  ['TRC20', 1, 1],
  ['tron', 1, 'withdraw'],
  ['erc-20', 1, 1],
  ['ripple', 2, 1],
  ['XRPL', 3, 'withdraw'],
  ['XRPL', 4, 1],
  ['Own Chain', 179, 'withdraw'],
  ['TON', 181, 1],
  ['Bank', 1, 2],
  ['SOL', 1, 'withdraw'],
];

beforeAll(async () => {
  const database = await startedDatabase();
  const before = await testServer({ jobs: false, existing: { database: kept(database), auditDir: await newFolder() } });
  user = await makeUser(before);
  await makeMarket(before, { name: 'LISTED' });
  await makeMarket(before, { name: 'ANY' });
  await makeMarket(before, { name: 'UNUSED', networks: [{ network: 'A', ...open }] });
  await before.query(sql`update market set withdraw_fee = 2 where market_name = 'LISTED'`);
  for (const market of ['LISTED', 'ANY']) await recharge(before, user, '1000', market);
  for (const [network, daysAgo, what] of records) {
    const at = before.clock.now() - daysAgo * DAY_MS;
    const data = { no: unique('N'), account: user, market: 'LISTED', network, address: 'T-any', amount: '5' };
    await apply(
      before,
      what === 'withdraw'
        ? { type: 'withdraw.requested', at, data: { ...data, fee: '2' } }
        : { type: 'recharge.detected', at, data: { ...data, confirmations: 1, source: what } },
    );
  }
  await apply(before, {
    type: 'withdraw.requested',
    data: { no: unique('N'), account: user, market: 'ANY', network: 'Own Chain', address: 'x', amount: '5', fee: '0' },
  });
  await before.query(sql`update market set networks = ${JSON.stringify(listed)}::jsonb where market_name = 'LISTED'`);
  // As the migration leaves the coins of before.
  await before.query(sql`update market set unconfirmed = null`);
  await before.stop();
  server = await testServer({ jobs: false, existing: { database, auditDir: await newFolder() } });
  admin = await login(server);
});
afterAll(() => server.stop());

const newFolder = () => mkdtemp(join(tmpdir(), 'hengtai-networks-'));
/** A database that the first server leaves when it stops. */
const kept = (database: TestDatabase): TestDatabase => ({ ...database, drop: () => Promise.resolve() });

const find = async (marketName: string): Promise<MarketRow> => {
  const { data } = await call<Page<MarketRow>>(server, 'GET', 'market/list', { marketName }, { token: admin });
  const row = data.list.find((one) => one.marketName === marketName);
  if (!row) throw new Error(`no market ${marketName}`);
  return row;
};
const alarms = async (): Promise<AlarmRow[]> => {
  const input = { kind: 'market.networks', state: 0 };
  return (await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', input, { token: admin })).data.list;
};
const save = (input: object) => call<MarketRow>(server, 'POST', 'market/save', input, { token: admin });
const request = (network: string) => ({
  type: 'withdraw.requested',
  data: { no: unique('W'), account: user, market: 'LISTED', network, address: 'T-any', amount: '5', fee: '2' },
});

describe('the first start after the upgrade', () => {
  test('opens the networks of the last 180 days, each once, to be confirmed', async () => {
    const added = { recharge: 1, withdraw: 1, fee: '2', explorer: '' };
    expect(await find('LISTED')).toMatchObject({
      networks: [...listed, { network: 'XRPL', ...added }, { network: 'Own Chain', ...added }],
      unconfirmed: ['XRPL', 'Own Chain'],
    });
    expect(await find('ANY')).toMatchObject({ networks: [], unconfirmed: [] });
    expect(await find('UNUSED')).toMatchObject({ networks: [{ network: 'A' }], unconfirmed: [] });
  });

  test('holds nothing that was open because of a spelling', async () => {
    for (const network of ['TRC20', 'tron', 'erc-20', 'ripple', 'XRPL', 'Own Chain'])
      expect([network, await send(server, request(network))]).toMatchObject([network, [{ result: 'applied' }]]);
    for (const network of ['TON', 'Bank', 'SOL', 'Solana'])
      expect(await expectRejection(server, request(network))).toBe('closed');
  });

  test('says to the admin what changed', async () => {
    const [alarm, ...others] = await alarms();
    expect(others).toEqual([]);
    const { id } = await find('LISTED');
    expect(alarm).toMatchObject({ targetType: 'market', targetId: id, agent: 'admin', userId: null });
    const { data } = await call<AlarmDetail>(server, 'GET', 'alarm/detail', { id: alarm?.id }, { token: admin });
    expect(data).toMatchObject({
      ...alarmText('market.networks'),
      detail: { added: 'XRPL、Own Chain', closed: 'SOL' },
    });
  });

  test('does it once', async () => {
    const row = await find('LISTED');
    expect(await save({ id: row.id, version: row.version, unconfirmed: ['XRPL'] })).toMatchObject({ code: 200 });
    const before = await find('LISTED');
    const migrate = { appRole: inject('cluster').appRole };
    const admin = { adminAccount: ADMIN.account, adminPassword: ADMIN.password };
    await setup({ databaseUrl: server.urls.owner, ...admin, simulator: false, migrate });
    expect(await find('LISTED')).toEqual(before);
    expect(await alarms()).toHaveLength(1);
  });
});

describe('market/save', () => {
  test('confirms networks, and adds none to be confirmed', async () => {
    const row = await find('LISTED');
    expect(await save({ id: row.id, unconfirmed: ['XRPL', 'TRC20'] })).toMatchObject({
      code: 422,
      data: [{ field: 'unconfirmed' }],
    });
    const confirmed = await save({ id: row.id, version: row.version, unconfirmed: [] });
    expect(confirmed).toMatchObject({ code: 200, data: { unconfirmed: [], networks: row.networks } });
    const rows = await server.query(sql<{ before: unknown; after: unknown }>`
      select before, after from audit where action = 'market.save' and target_id = ${row.id} and result = 200 order by id desc limit 1`);
    expect(rows).toEqual([{ before: { unconfirmed: ['XRPL'] }, after: { unconfirmed: [] } }]);
  });

  test('tells the platform nothing of the mark', async () => {
    const { data } = await platformCall<object[]>(server, 'GET', 'markets');
    for (const market of data) expect(market).not.toHaveProperty('unconfirmed');
    const commands = await server.query(
      sql`select from command where type = 'market.updated' and data ? 'unconfirmed'`,
    );
    expect(commands).toEqual([]);
  });
});
