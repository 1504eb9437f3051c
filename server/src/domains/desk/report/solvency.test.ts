// @module-tag full
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { LiabilityProof, LiabilityRow, ProofLeaves, Solvency } from '@hengtai/contract/desk/report/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verify } from '../../../../../scripts/verify-solvency.mjs';
import { tronAddress } from '../../../../test/address.ts';
import { freezeClock } from '../../../../test/book.ts';
import { findUser, makeOperator, makeUser, recharge } from '../../../../test/factories.ts';
import { type TestServer, apply, call, fetchData, login, nextDayAt, testServer } from '../../../../test/server.ts';
import { findLastEntry } from '../../../books/ledger/balance-snapshot.ts';
import { makeLiabilities } from './liability.jobs.ts';
import { fetchHouseLiabilities, fetchUserBalances } from './liability.store.ts';
import { requestNightly } from './solvency.jobs.ts';

const PROGRAM = fileURLToPath(new URL('../../../../../scripts/verify-solvency.mjs', import.meta.url));
let server: TestServer;
let admin: string;

// A proof has every user and wallet of the installation.
beforeEach(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterEach(() => server.stop());

const saveWallet = (wallet: string, more: object = {}) =>
  apply(server, {
    type: 'wallet.saved',
    data: { wallet, kind: 'hot', market: 'USDT', network: 'TRC20', address: tronAddress(wallet), state: 1, ...more },
  });
const readWallet = (wallet: string, amount: string, more: { at?: number; block?: number } = {}) => {
  const { at, ...data } = more;
  return apply(server, { type: 'wallet.balance', data: { wallet, amount, ...data }, ...(at !== undefined && { at }) });
};
const runJob = () => makeLiabilities(server.app, new AbortController().signal);

async function makeProof(input: object = {}): Promise<number> {
  const { data } = await call<LiabilityRow>(server, 'POST', 'report/liability/make', input, { token: admin });
  await runJob();
  return data.id;
}
const listProofs = async (): Promise<LiabilityRow[]> =>
  (await fetchData<Page<LiabilityRow>>(server, admin, 'report/liability/list', {})).list;
const fetchSolvency = (id: number) => fetchData<Solvency>(server, admin, 'report/liability/solvency', { id });

/** The lines of the file of leaves. */
async function fetchLines(id: number): Promise<string[]> {
  const { leaves, next } = await fetchData<ProofLeaves>(server, admin, 'report/liability/leaves', { id });
  expect(next).toBe(null);
  return leaves.toSorted((a, b) => a.index - b.index).map(({ owner, amounts }) => JSON.stringify([owner, ...amounts]));
}

describe('report/liability/solvency', () => {
  test('states what is owed and held as of one entry, by which each user can verify', async () => {
    const names = [
      await makeUser(server, { amount: '100' }),
      await makeUser(server, { amount: '40.000000000000000001' }),
      await makeUser(server, { amount: '7.5', market: 'BTC' }),
    ];
    await saveWallet('hot');
    await saveWallet('cold', { kind: 'cold' });
    await saveWallet('gone');
    const at = server.clock.now();
    await readWallet('hot', '1', { at: at - 9_000, block: 5 });
    await readWallet('hot', '50', { at: at - 2_000, block: 7 });
    await readWallet('cold', '120.25', { at: at - 3_000, block: 6 });
    await readWallet('gone', '999', { at: at - 2_000 });
    await saveWallet('gone', { state: 0 });
    const entry = await findLastEntry(server.app.system);
    const id = await makeProof();
    const [row] = await listProofs();
    expect(row).toMatchObject({ id, state: 2, matches: 1, entry });
    const statement = await fetchSolvency(id);
    expect(statement.assets.holdings).toEqual([
      {
        marketName: 'USDT',
        network: 'TRC20',
        wallets: 2,
        wallet: null,
        address: null,
        memo: null,
        amount: '170.25',
        block: 6,
        readAt: at - 3_000,
      },
    ]);
    const key = server.app.auditKey.fingerprint;
    const leaves = await fetchLines(id);
    for (const [index, own] of [
      ['100', '0'],
      ['40.000000000000000001', '0'],
      ['0', '7.5'],
    ].entries()) {
      const { id: userId } = await findUser(server, admin, names[index] ?? '');
      const proof = await fetchData<LiabilityProof>(server, admin, 'report/liability/proof', { id, userId });
      expect(verify({ statement, key, leaves, proof })).toEqual({
        id,
        at: row?.at,
        entry,
        users: 3,
        coins: [
          { marketName: 'USDT', owed: '140.000000000000000001', held: '170.25', ratio: '121.60', own: own[0] },
          // Never 0.
          { marketName: 'BTC', owed: '7.5', held: null, ratio: null, own: own[1] },
        ],
      });
    }
  });

  test('is verified by the program on files, which exits with 1 if anything is wrong', async () => {
    const account = await makeUser(server, { amount: '8' });
    const { id: userId } = await findUser(server, admin, account);
    const id = await makeProof();
    const proof = await fetchData<LiabilityProof>(server, admin, 'report/liability/proof', { id, userId });
    const lines = await fetchLines(id);
    const folder = mkdtempSync(join(tmpdir(), 'solvency-'));
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const run = (key: string, leaves: string) => {
      const args = [write('solvency.json', statement), '--key', key, '--leaves', write('leaves.jsonl', leaves)];
      const files = ['--user', write('user.json', JSON.stringify(proof))];
      return spawnSync(process.execPath, [PROGRAM, ...args, ...files], { encoding: 'utf8' });
    };
    const statement = JSON.stringify(await fetchSolvency(id));
    const { fingerprint } = server.app.auditKey;
    try {
      const { status, stdout } = run(fingerprint.toUpperCase(), `${lines.join('\n')}\n`);
      expect(stdout).toContain('USDT: owed 8, held: not connected (未接入), 8 of it to this user');
      expect(status).toBe(0);
      expect(run(fingerprint, lines.join('\n').replace('"8"', '"7"')).status).toBe(1);
      expect(run('0'.repeat(64), lines.join('\n')).status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('lists each wallet if the setting says so', async () => {
    await server.query(sql`update config set state = 1 where key = 'report.proofWallets'`);
    await makeUser(server, { amount: '3' });
    const address = tronAddress('hot');
    await saveWallet('hot', { address });
    await saveWallet('bank', { kind: 'exchange', address: undefined });
    await readWallet('hot', '2', { block: 9 });
    await readWallet('bank', '1');
    const statement = await fetchSolvency(await makeProof());
    expect(statement.assets.holdings).toMatchObject([
      { wallets: 1, wallet: 'bank', address: null, amount: '1', block: null },
      { wallets: 1, wallet: 'hot', address, amount: '2', block: 9 },
    ]);
    const [coin] = verify({ statement, key: server.app.auditKey.fingerprint }).coins;
    expect(coin).toMatchObject({ owed: '3', held: '3', ratio: '100.00', own: null });
  });

  test('lists the files that were given with the request, and no others', async () => {
    const sha256 = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
    const files = [{ name: 'cold-1.sig', sha256 }];
    const statement = await fetchSolvency(await makeProof({ files }));
    expect(statement.assets.files).toEqual(files);
    const key = server.app.auditKey.fingerprint;
    expect(verify({ statement, key, files: ['hello world'] })).toMatchObject({ users: 0 });
    expect(() => verify({ statement, key, files: ['hello world!'] })).toThrow(/do not list the file/);
    for (const wrong of [{ name: '', sha256 }, { name: 'a', sha256: sha256.toUpperCase() }, { name: 'a' }])
      expect(await call(server, 'POST', 'report/liability/make', { files: [wrong] }, { token: admin })).toMatchObject({
        code: 422,
      });
  });

  test('requires full scope and 资产调整 or 审计查看, and a proof with statements', async () => {
    const id = await makeProof();
    const { headquarters, audit, assets, withdraw } = ABILITY;
    for (const [abilities, code] of [
      [[audit, assets], 403],
      [[headquarters, withdraw], 403],
      [[headquarters, audit], 200],
      [[headquarters, assets], 200],
    ] as const) {
      const { token } = await makeOperator(server, admin, { abilities });
      for (const path of ['report/liability/solvency', 'report/liability/leaves'])
        expect([abilities, await call(server, 'GET', path, { id }, { token })]).toMatchObject([abilities, { code }]);
    }
    expect(await call(server, 'GET', 'report/liability/solvency', { id: id + 1 }, { token: admin })).toMatchObject({
      code: 404,
    });
    expect(await fetchData(server, admin, 'report/liability/leaves', { id: id + 1 })).toEqual({
      leaves: [],
      next: null,
    });
  });

  test('reads balances as of an entry, whatever was posted since', async () => {
    const account = await makeUser(server, { amount: '5' });
    const entry = await findLastEntry(server.app.system);
    const read = async () => ({
      users: (await fetchUserBalances(server.app.system, entry)).map(({ balances }) => balances),
      owed: await fetchHouseLiabilities(server.app.system, entry),
    });
    const before = await read();
    expect(before).toEqual({
      users: [{ USDT: '5.000000000000000000' }],
      owed: [{ marketName: 'USDT', amount: '5' }],
    });
    await recharge(server, account, '2');
    await recharge(server, account, '3', 'BTC');
    expect(await read()).toEqual(before);
  });
});

describe('the nightly proof', () => {
  const countNightly = async (): Promise<number> =>
    (await listProofs()).filter(({ operator }) => operator === '--').length;
  const setHour = (hour: number) => server.query(sql`update config set num = ${hour} where key = 'report.proofHour'`);

  test('is made once a day after the hour of the setting, and made up for', async () => {
    const clock = freezeClock(server);
    const moveTo = async (hour: number): Promise<void> => {
      clock.move(nextDayAt(hour, server.clock.now()) - server.clock.now());
      admin = await login(server);
    };
    const run = async (): Promise<number> => {
      await requestNightly(server.app);
      await runJob();
      return countNightly();
    };
    expect(await run()).toBe(0);
    await setHour(3);
    await moveTo(2);
    // That of the day before was missed.
    expect(await run()).toBe(1);
    expect(await run()).toBe(1);
    clock.move(3_600_000);
    expect(await run()).toBe(2);
    clock.move(3_600_000);
    expect(await run()).toBe(2);
    await moveTo(4);
    expect(await run()).toBe(3);
    await setHour(24);
    await moveTo(4);
    expect(await run()).toBe(3);
    const [last] = await listProofs();
    expect(last).toMatchObject({ state: 2, operator: '--', matches: 1 });
    const [made] = await server.query(
      sql<{
        operator: string | null;
      }>`select operator from audit where action = 'report.made' order by id desc limit 1`,
    );
    expect(made).toEqual({ operator: null });
  });

  test('waits for a proof that is being made', async () => {
    await setHour(3);
    await call(server, 'POST', 'report/liability/make', {}, { token: admin });
    await requestNightly(server.app);
    expect(await countNightly()).toBe(0);
    await runJob();
    await requestNightly(server.app);
    expect(await countNightly()).toBe(1);
  });

  test('takes whole hours only', async () => {
    const [{ id } = { id: 0 }] = await server.query(
      sql<{ id: number }>`select id from config where key = 'report.proofHour'`,
    );
    for (const [num, code] of [
      ['2.5', 422],
      ['25', 422],
      ['5', 200],
    ] as const)
      expect(await call(server, 'POST', 'config/save', { id, num }, { token: admin })).toMatchObject({ code });
  });
});
