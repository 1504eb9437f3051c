import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '@hengtai/contract/wire/list';
import type { RechargeRow, RechargeSum } from '@hengtai/contract/funds/recharge/schema';
import { onTron } from '../../../../test/address.ts';
import { makeMarket } from '../../../../test/book.ts';
import { fetchBalance, makeOperator, makeUser } from '../../../../test/factories.ts';
import { apply, call, fetchData, login, platformCall, provideServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const server = provideServer();
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

async function detect(account: string, fields: object = {}): Promise<RechargeRow> {
  const no = unique('R');
  const data = {
    no,
    account,
    market: 'USDT',
    ...onTron('in'),
    amount: '50',
    confirmations: 1,
    source: 1,
  };
  await apply(server, { type: 'recharge.detected', data: { ...data, txHash: `hash-${no}`, ...fields } });
  return find(no);
}

async function find(no: string): Promise<RechargeRow> {
  const { data } = await call<Page<RechargeRow>>(server, 'GET', 'recharge/list', { no }, { token: admin });
  const row = data.list[0];
  if (!row) throw new Error(`no recharge ${no}`);
  return row;
}

const action = (name: 'hold' | 'release', id: number, token = admin) =>
  call<RechargeRow>(server, 'POST', `recharge/${name}`, { id, reason: 'looked at' }, { token });

const credit = (no: string) => apply(server, { type: 'recharge.credited', data: { no } });

describe('recharge/hold and recharge/release', () => {
  test('a held recharge is credited by its release, not by its arrival', async () => {
    const account = await makeUser(server);
    const row = await detect(account);
    expect(await action('hold', row.id)).toMatchObject({ code: 200, data: { state: 3, remark: 'looked at' } });
    await credit(row.no);
    expect(await find(row.no)).toMatchObject({ state: 3, creditedAt: null, arrivedAt: expect.any(Number) });
    expect(await fetchBalance(server, admin, account)).toEqual({ active: '0', frozen: '0' });
    expect(await action('release', row.id)).toMatchObject({
      code: 200,
      data: { state: 1, creditedAt: expect.any(Number) },
    });
    expect(await fetchBalance(server, admin, account)).toEqual({ active: '50', frozen: '0' });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('a recharge released before its arrival waits for the platform again', async () => {
    const account = await makeUser(server);
    const row = await detect(account);
    await action('hold', row.id);
    expect(await action('release', row.id)).toMatchObject({ code: 200, data: { state: 0 } });
    expect(await fetchBalance(server, admin, account)).toEqual({ active: '0', frozen: '0' });
    await credit(row.no);
    expect(await fetchBalance(server, admin, account)).toEqual({ active: '50', frozen: '0' });
  });

  test('twelve concurrent releases credit once', async () => {
    const account = await makeUser(server);
    const row = await detect(account);
    await action('hold', row.id);
    await credit(row.no);
    const codes = (await Promise.all(Array.from({ length: 12 }, () => action('release', row.id)))).map(
      ({ code }) => code,
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 409)).toHaveLength(11);
    expect(await fetchBalance(server, admin, account)).toEqual({ active: '50', frozen: '0' });
  });

  test('a release that races with the arrival credits once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const account = await makeUser(server);
      const row = await detect(account);
      await action('hold', row.id);
      await Promise.all([action('release', row.id), credit(row.no)]);
      if ((await find(row.no)).state === 3) await action('release', row.id);
      expect(await find(row.no)).toMatchObject({ state: 1 });
      expect(await fetchBalance(server, admin, account)).toEqual({ active: '50', frozen: '0' });
    }
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('refuses to hold a credited recharge', async () => {
    const account = await makeUser(server);
    const row = await detect(account);
    await credit(row.no);
    expect(await action('hold', row.id)).toMatchObject({ code: 409, data: { state: 1 } });
  });

  test('the hold and the release of a disabled user’s recharge are sent to the platform', async () => {
    const account = await makeUser(server);
    await server.query(sql`update users set state = 0 where account = ${account}`);
    const row = await detect(account);
    await credit(row.no);
    expect((await find(row.no)).state).toBe(3);
    await action('release', row.id);
    const commands = await platformCall<{ type: string; data: object }[]>(server, 'GET', 'commands?limit=500');
    const reviews = commands.data.filter(({ data }) => 'no' in data && data.no === row.no);
    expect(reviews.map(({ data }) => data)).toEqual([
      { no: row.no, state: 3, reason: 'frozen', reasonCode: 'frozen' },
      { no: row.no, state: 1, reason: 'looked at', reasonCode: 'other' },
    ]);
    const balance = commands.data.find(
      ({ type, data }) => type === 'balance.changed' && 'account' in data && data.account === account,
    );
    expect(balance?.data).toMatchObject({ active: '50', frozen: '0', platform: 1, market: 'USDT' });
  });

  test('a hold needs the ability and writes an audit row', async () => {
    const row = await detect(await makeUser(server));
    const operator = await makeOperator(server, admin, {});
    expect((await action('hold', row.id, operator.token)).code).toBe(403);
    await action('hold', row.id);
    const rows = await server.query(sql<{ after: unknown }>`
      select after from audit where action = 'recharge.hold' and target_id = ${row.id} and result = 200`);
    expect(rows).toEqual([{ after: { state: 3, remark: 'looked at' } }]);
  });
});

describe('recharge/list and recharge/url', () => {
  test('sums are exact per coin over the filtered rows', async () => {
    const account = await makeUser(server);
    await detect(account, { amount: '0.000000000000000001' });
    await detect(account, { amount: '123456789.123456789123456789' });
    const data = await fetchData<Page<RechargeRow, RechargeSum>>(server, admin, 'recharge/list', { account });
    expect(data.total).toBe(2);
    expect(data.summary).toEqual([
      { marketId: 1, marketName: 'USDT', count: 2, amount: '123456789.12345678912345679' },
    ]);
  });

  test('returns the explorer’s URL or the voucher’s', async () => {
    const account = await makeUser(server);
    const chain = await detect(account);
    const paper = await detect(account, { source: 2, voucher: 'https://files.example/v.png' });
    const url = async (id: number) =>
      (await call<{ url: string }>(server, 'GET', 'recharge/url', { id }, { token: admin })).data.url;
    expect(await url(chain.id)).toContain(chain.txHash);
    expect(await url(paper.id)).toBe('https://files.example/v.png');
  });
});

describe('recharges of one transaction', () => {
  const ADDRESS = 'rh4K1XDNxzQ8NTBK9ZjRM75LXnNvKkMJCu';
  const HASH = 'A'.repeat(64);
  let market: string;
  beforeAll(async () => {
    market = await makeMarket(server);
  });
  const report = async (account: string, data: object = {}): Promise<string> => {
    const no = unique('R');
    const chain = {
      market,
      network: 'XRPL',
      address: ADDRESS,
      memo: '7',
      txHash: HASH,
      amount: '5',
      confirmations: 1,
    };
    await apply(server, { type: 'recharge.credited', data: { no, account, source: 1, ...chain, ...data } });
    return no;
  };
  const listRow = async (no: string, token = admin) => {
    const { data } = await call<Page<RechargeRow>>(server, 'GET', 'recharge/list', { no }, { token });
    return data.list[0];
  };
  const othersOf = async (no: string, token?: string) => (await listRow(no, token))?.sameTransaction;

  test('to one account and memo name each other, whatever the spelling, and are credited', async () => {
    const account = await makeUser(server);
    const first = await report(account);
    const second = await report(account, { memo: '007', network: 'Ripple' });
    const others = [
      await report(account, { memo: '8' }),
      await report(account, { txHash: 'short' }),
      await report(account, { source: 2 }),
    ];
    const ids = [(await listRow(first))?.id, (await listRow(second))?.id];
    expect([await othersOf(first), await othersOf(second)]).toEqual([[ids[1]], [ids[0]]]);
    for (const no of others) expect([no, await othersOf(no)]).toEqual([no, []]);
    expect((await listRow(second))?.state).toBe(1);
    await apply(server, { type: 'recharge.reversed', data: { no: second } });
    expect([await othersOf(first), await othersOf(second)]).toEqual([[], []]);
  });

  test('are named within the scope only', async () => {
    const txHash = 'B'.repeat(64);
    const agent = await makeOperator(server, admin);
    const own = await report(await makeUser(server, { agent: agent.account }), { txHash });
    const outside = await report(await makeUser(server), { txHash });
    expect(await othersOf(own)).toEqual([(await listRow(outside))?.id]);
    expect(await othersOf(own, agent.token)).toEqual([]);
  });
});
