// @module-tag full
import type { InstallationState } from '@hengtai/contract/desk/installation/schema';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { marketSettings } from '../../../../test/book.ts';
import { makeOperator, makeUser } from '../../../../test/factories.ts';
import {
  ADMIN,
  type TestServer,
  apply,
  call,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const DAY = 86_400_000;
let server: TestServer;
let admin: string;

beforeEach(async () => {
  server = await testServer({ jobs: false, simulated: true });
  admin = await login(server);
});
afterEach(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const stateFor = async (token: string) =>
  (await call<InstallationState>(server, 'GET', 'installation/state', {}, { token })).data;
const fetchAudits = async () =>
  (await call<Page<AuditRow>>(server, 'GET', 'audit/list', { action: 'installation.live' }, { token: admin })).data
    .list;
const imported = (account: string) => ({
  type: 'balance.imported',
  data: { account, market: 'USDT', platform: 1, active: '5' },
});

test('shows the progress of an import, without registrations before it', async () => {
  expect(await stateFor(admin)).toEqual({ live: 0, importing: null });
  const now = server.clock.now();
  const account = unique('moved');
  await apply(server, { type: 'user.registered', data: { account }, at: now - 900 * DAY });
  expect((await stateFor(admin)).importing).toBeNull();
  await apply(server, { ...imported(account), at: now - 90 * DAY }, { ...imported(account), at: now - 60 * DAY });
  const { importing } = await stateFor(admin);
  expect(importing).toMatchObject({ from: now - 90 * DAY, reached: now - 60 * DAY, events: 3 });
  expect(importing?.share).toBeCloseTo(1 / 3, 3);
  // Rejected and repeated events do not count as progress.
  const [known] = [{ ...imported(account), at: now - 30 * DAY, eventId: unique('k') }];
  await apply(server, known);
  await send(server, known, { ...imported('nobody'), at: now - 1 * DAY });
  expect((await stateFor(admin)).importing).toMatchObject({ reached: now - 30 * DAY, events: 4 });
  const agent = await makeOperator(server, admin);
  expect((await stateFor(agent.token)).importing).toMatchObject({ reached: now - 30 * DAY, events: null });
});

test('shows no import near the present or after the platform has sent nothing for a while', async () => {
  const account = await makeUser(server);
  const now = server.clock.now();
  await apply(server, { ...imported(account), at: now - 9 * DAY });
  expect((await stateFor(admin)).importing).not.toBeNull();
  server.clock.move(6 * 60_000);
  expect((await stateFor(admin)).importing).toBeNull();
  await apply(server, { ...imported(account), at: now - 8 * DAY });
  expect((await stateFor(admin)).importing).not.toBeNull();
  await apply(server, { ...imported(account), at: now });
  expect((await stateFor(admin)).importing).toBeNull();
});

test('a demo gets signals and announcements on go-live, with commands and audit rows of the system', async () => {
  const now = server.clock.now();
  await apply(
    server,
    { type: 'tick', data: { market: 'BTC', price: '60000.01', at: now } },
    { type: 'tick', data: { market: 'XRP', price: '0.54321', at: now } },
  );
  for (let round = 0; round < 2; round += 1) await platformCall(server, 'POST', 'live');
  const { list } = (await call<Page<SignalRow>>(server, 'GET', 'signal/list', {}, { token: admin })).data;
  expect(list).toMatchObject([
    { marketName: 'XRP', state: 0, price: '0.54321', takeProfit: '0.52148', stopLoss: '0.55679', by: 'admin' },
    { marketName: 'BTC', state: 1, price: '60000.01', takeProfit: '60720.01', stopLoss: '59520.01', by: 'admin' },
  ]);
  const offered = await platformCall(server, 'GET', 'signals');
  expect(offered.data).toMatchObject([{ no: list[1]?.no, market: 'BTC', side: 1 }]);
  const commands = await server.query(sql`select data ->> 'no' as no from command where type = 'signal.published'`);
  expect(commands).toEqual([{ no: list[1]?.no }]);
  const { data } = await call<Page<AuditRow>>(server, 'GET', 'audit/list', { action: 'signal.add' }, { token: admin });
  expect(data.list.map(({ operator, targetId, reason }) => [operator, targetId, reason])).toEqual(
    list.map(({ id }) => [null, id, '演示数据']),
  );
  const announces = (await call<Page<AnnounceRow>>(server, 'GET', 'announce/list', {}, { token: admin })).data.list;
  expect(
    announces.map(({ pinned, state, langs, publishAt }) => [pinned, state, langs.length, publishAt !== null]),
  ).toEqual([
    [1, 1, 3, false],
    [1, 1, 3, false],
    [1, 1, 3, false],
    [0, 0, 2, true],
    [0, 0, 2, true],
    [0, 1, 1, false],
  ]);
  const published = await platformCall<{ content: string }[]>(server, 'GET', 'announcements?lang=en');
  const src = /src="\/platform\/v1\/([^"]+)"/.exec(published.data[0]?.content ?? '')?.[1] ?? '';
  expect(await platformCall(server, 'GET', src)).toMatchObject({ code: 200, data: { width: 960, height: 240 } });
});

test('the simulator goes live once, with an audit row, and history is rejected afterwards', async () => {
  const account = await makeUser(server);
  await apply(server, imported(account));
  expect(await platformCall(server, 'POST', 'live')).toMatchObject({ status: 200, code: 200 });
  expect(await platformCall(server, 'POST', 'live')).toMatchObject({ status: 200, code: 200 });
  expect(await stateFor(admin)).toEqual({ live: 1, importing: null });
  const [answer] = await send(server, { ...imported(account), at: server.clock.now() - DAY });
  expect(answer).toMatchObject({ result: 'rejected', reason: 'live' });
  expect(await stateFor(admin)).toEqual({ live: 1, importing: null });
  const rows = await fetchAudits();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ action: 'installation.live', result: 200, operator: null });
});

test('only a simulated platform with a signature may go live by the gateway', async () => {
  server.app.platform = { ...server.app.platform, simulated: false };
  expect(await platformCall(server, 'POST', 'live')).toMatchObject({ status: 403, code: 403 });
  server.app.platform = { ...server.app.platform, simulated: true };
  const unsigned = await server.server.inject({ method: 'POST', url: '/platform/v1/live' });
  expect(unsigned.statusCode).toBe(401);
  expect(await stateFor(admin)).toMatchObject({ live: 0 });
});

test('only the admin may go live, which makes no signals', async () => {
  const now = server.clock.now();
  await apply(server, { type: 'tick', data: { market: 'BTC', price: '60000.01', at: now } });
  const agent = await makeOperator(server, admin, { abilities: [9, 12] });
  const refused = await call(server, 'POST', 'installation/live', {}, { token: agent.token });
  expect(refused.code).toBe(403);
  expect(await stateFor(admin)).toMatchObject({ live: 0 });
  const done = await call(server, 'POST', 'installation/live', {}, { token: admin });
  expect(done).toMatchObject({ code: 200, data: { live: 1, importing: null } });
  expect((await call(server, 'POST', 'installation/live', {}, { token: admin })).code).toBe(200);
  const audits = (await fetchAudits()).filter((row) => row.result === 200);
  expect(audits.map(({ operator }) => operator)).toEqual(['admin', 'admin']);
  expect(await server.query(sql`select id from signal`)).toEqual([]);
});

test('only the admin sees the first steps, and each is derived from the data', async () => {
  const steps = async (token: string) => call<object>(server, 'GET', 'installation/steps', {}, { token });
  const names = ['password', 'otp', 'second', 'lock', 'market', 'gateway', 'kline', 'live'];
  const none = Object.fromEntries(names.map((step) => [step, false]));
  expect(await steps(admin)).toMatchObject({ code: 200, data: none });
  const agent = await makeOperator(server, admin);
  expect(await steps(agent.token)).toMatchObject({ code: 403 });
  // The password and codes of the agent do not count; the steps are about the admin.
  await call(server, 'POST', 'agent/state', { id: agent.id, type: ABILITY.approval, state: 1 }, { token: admin });
  await apply(server, { type: 'user.registered', data: { account: unique('first') } });
  const saved = { ...marketSettings, id: 2, version: 1, marketName: 'BTC', spot: 1, future: 1, second: 1 };
  expect(await call(server, 'POST', 'market/save', saved, { token: admin })).toMatchObject({ code: 200 });
  const [kline] = await server.query(sql<{ id: number }>`select id from config where key = 'kline.url'`);
  const address = { id: kline?.id, str: 'https://charts.example/' };
  expect(await call(server, 'POST', 'config/save', address, { token: admin })).toMatchObject({ code: 200 });
  await call(server, 'POST', 'installation/live', {}, { token: admin });
  expect((await steps(admin)).data).toEqual({
    ...none,
    kline: true,
    second: true,
    market: true,
    gateway: true,
    live: true,
  });
  const changed = { oldPassword: ADMIN.password, newPassword: 'another-password' };
  expect(await call(server, 'POST', 'pwd_update', changed, { token: admin })).toMatchObject({ code: 200 });
  expect((await steps(await login(server, ADMIN.account, changed.newPassword))).data).toMatchObject({
    password: true,
    otp: false,
  });
});
