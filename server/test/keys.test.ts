// @module-tag full
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { signedText } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { OtpRecovery, OtpSetup } from '@hengtai/contract/house/otp/schema';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadAnchors, verifyChain } from '../src/books/audit/verify.ts';
import { findAuditKey } from '../src/host/audit-key.ts';
import { rotateSecretKey } from '../src/cli/keys-rotate.ts';
import { fetchLiveServers } from '../src/app/known-key.store.ts';
import { type PlatformKey, listPlatformKeys, platformKeyFormat, platformKeyText } from '../src/host/platform-key.ts';
import { readKeyFile } from '../src/host/key-file.ts';
import { readEnv } from '../src/programs/env.ts';
import { nodeArguments } from '../../testing/program.ts';
import { STEP_MS, codeAt } from './codes.ts';
import { runHengtai } from './command-line.ts';
import { PASSWORD, makeOperator } from './factories.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import { type TestServer, login, testServer, unique } from './server.ts';

/** It sets up the data, and answers no tested request. */
let server: TestServer;
let admin: string;

beforeEach(async () => {
  server = await testServer({ jobs: false });
  const { key, secret } = server.app.platform;
  writeFileSync(join(server.auditDir, 'platform-key.json'), platformKeyText({ key, secret }));
  admin = await login(server);
});
afterEach(() => server.stop());

/** Keys of the gateway come from the files; the variables of a started process would hide them. */
const fromFiles = { PLATFORM_KEY: '', PLATFORM_SECRET: '' };

interface Answer<T> {
  code: number;
  data: T;
}

async function post<T>(url: string, path: string, input: object, token?: string): Promise<Answer<T>> {
  const response = await fetch(`${url}${API_BASE}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { token }) },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Answer<T>;
}

interface Holder {
  account: string;
  secret: string;
  recovery: string[];
}

/** An operator who sets up codes at one server and confirms them at another. */
async function setUpCodes(at: string, confirmedAt = at): Promise<Holder> {
  const { account, token } = await makeOperator(server, admin);
  const { data } = await post<OtpSetup>(at, 'otp/setup', { password: PASSWORD }, token);
  const code = codeAt(data.secret, Date.now());
  const confirmed = await post<OtpRecovery>(confirmedAt, 'otp/confirm', { code }, token);
  expect(confirmed).toMatchObject({ code: 200 });
  return { account, secret: data.secret, recovery: confirmed.data.recovery };
}

/** The code after the one that a moment ago confirmed the codes; servers accept it already, and for another minute. */
const nextCode = ({ secret }: Holder): string => codeAt(secret, Date.now() + STEP_MS);

const logIn = (url: string, { account }: Holder, otp: string) =>
  post(url, 'login', { account, password: PASSWORD, otp });

/** Sends one event signed with a key. */
async function sendEvent(url: string, { key, secret }: PlatformKey): Promise<string> {
  const path = '/platform/v1/events';
  const account = unique('rotated');
  const body = JSON.stringify([{ eventId: account, type: 'user.registered', at: Date.now(), data: { account } }]);
  const time = String(Date.now());
  const signature = createHmac('sha256', secret)
    .update(signedText(time, 'POST', path, body))
    .digest('hex');
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-key': key, 'x-time': time, 'x-signature': signature },
    body,
  });
  const { data } = (await response.json()) as { data: EventAnswer[] | null };
  return data?.[0]?.result ?? `${response.status}`;
}

const hengtai = async (...args: string[]): Promise<void> => {
  const result = await runHengtai(server, args, { AUDIT_DIR: server.auditDir });
  expect(result).toMatchObject({ code: 0 });
};

const holds = async (): Promise<void> => {
  const anchors = await loadAnchors(server.auditDir, findAuditKey(server.auditDir, server.auditDir));
  expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true, anchored: true });
};

/** Repeats `work` without a pause until `stop`, and counts what it returns. */
function startLoad(work: () => Promise<string>): { stop: () => Promise<Record<string, number>> } {
  const stopController = new AbortController();
  const results: Record<string, number> = {};
  const running = (async () => {
    while (!stopController.signal.aborted) {
      const result = await work();
      results[result] = (results[result] ?? 0) + 1;
      await sleep(20);
    }
  })();
  return {
    stop: async () => {
      stopController.abort();
      await running;
      return results;
    },
  };
}

test('every key rotates under load with two servers, without a refusal and without a restart', async () => {
  const root = server.app.auditKey.fingerprint;
  const servers = await Promise.all([startOtherProcess(server, fromFiles), startOtherProcess(server, fromFiles)]);
  const urls = servers.map(({ url }) => url);
  let turn = 0;
  const next = (): string => urls[(turn += 1) % urls.length] ?? '';
  try {
    const holders = await Promise.all(Array.from({ length: 12 }, () => setUpCodes(next(), next())));
    const codes = holders.flatMap((holder) => holder.recovery.map((code) => ({ holder, code })));
    let platformKey = listPlatformKeys(
      readKeyFile(join(server.auditDir, 'platform-key.json'), platformKeyFormat),
    )[0] as PlatformKey;
    const events = startLoad(() => sendEvent(next(), platformKey));
    const logins = startLoad(async () => {
      const one = codes.shift();
      return one ? String((await logIn(next(), one.holder, one.code)).code) : 'none left';
    });
    await vi.waitFor(holds, { timeout: 30_000, interval: 500 });
    for (const kind of ['otp', 'audit', 'platform']) await hengtai('keys', 'add', kind);
    await hengtai('keys', 'rotate', 'otp');
    await holds();
    await hengtai('keys', 'rotate', 'audit');
    await holds();
    const newest = readKeyFile(join(server.auditDir, 'platform-key.json'), platformKeyFormat);
    const holdNewest = async (): Promise<void> => {
      const live = await fetchLiveServers(server.owner);
      expect(live.map(({ platform }) => platform.includes(newest.key))).toEqual([true, true]);
    };
    await vi.waitFor(holdNewest, { timeout: 30_000, interval: 100 });
    platformKey = newest;
    // Each operator's authenticator works at both servers.
    for (const [index, holder] of holders.entries())
      expect(await logIn(urls[index % 2] ?? '', holder, nextCode(holder))).toMatchObject({ code: 200 });
    await hengtai('keys', 'remove', 'otp');
    await hengtai('keys', 'remove', 'audit');
    // Servers read their key files again every few seconds.
    await vi.waitFor(
      async () => {
        const live = await fetchLiveServers(server.owner);
        expect(live.map(({ otp, audit }) => [otp.length, audit.length])).toEqual([
          [1, 1],
          [1, 1],
        ]);
      },
      { timeout: 30_000, interval: 100 },
    );
    const late = await setUpCodes(urls[0] ?? '', urls[1]);
    expect(await logIn(urls[0] ?? '', late, late.recovery[0] ?? '')).toMatchObject({ code: 200 });
    const { 'none left': _none, ...loggedIn } = await logins.stop();
    expect(Object.keys(loggedIn)).toEqual(['200']);
    const sent = await events.stop();
    expect(Object.keys(sent)).toEqual(['applied']);
    expect(loggedIn['200']).toBeGreaterThan(50);
    expect(sent['applied']).toBeGreaterThan(100);
    await vi.waitFor(
      async () => expect(await server.query(sql`select count(*)::int as n from audit_pending`)).toEqual([{ n: 0 }]),
      { timeout: 10_000 },
    );
    await holds();
    const keys = await server.query(sql<{ key: string }>`select distinct key from audit_head`);
    expect(keys).toHaveLength(2);
    // The file holds one private key; the fingerprint of the first start verifies all.
    expect(findAuditKey(server.auditDir, server.auditDir)).toMatchObject({ root });
    const file = join(server.auditDir, 'chain.jsonl');
    const verify = ['verify', 'audit', '--key', root];
    await hengtai(...verify, '--export', file);
    expect(readFileSync(file, 'utf8')).toContain('audit.key');
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}, 300_000);

test('servers with the old and the new configuration work side by side; one with a missing key does not start', async () => {
  const [old, fresh] = ['a'.repeat(64), 'b'.repeat(64)];
  const before = { OTP_KEY: old };
  const after = { OTP_KEY: fresh, OTP_KEY_PREVIOUS: old };
  const servers: OtherProcess[] = await Promise.all([
    startOtherProcess(server, before),
    startOtherProcess(server, after),
  ]);
  const [one, two] = servers.map(({ url }) => url) as [string, string];
  try {
    const holders = [await setUpCodes(one, two), await setUpCodes(two, one)];
    for (const [index, holder] of holders.entries()) {
      expect(await logIn(one, holder, holder.recovery[index] ?? '')).toMatchObject({ code: 200 });
      expect(await logIn(two, holder, nextCode(holder))).toMatchObject({ code: 200 });
    }
    // The command waits for half a minute, so its clock runs fast.
    vi.useFakeTimers({ toFake: ['Date'] });
    const moving = setInterval(() => vi.setSystemTime(Date.now() + 10_000), 20);
    const env = readEnv({ DATA_DIR: server.auditDir, AUDIT_DIR: server.auditDir, ...after });
    await expect(rotateSecretKey(server.owner, env)).rejects.toThrow(/The server \d+ on \S+ does not hold the otp key/);
    clearInterval(moving);
    vi.useRealTimers();
    servers.push(await startOtherProcess(server, after));
    const ended = servers.shift();
    await ended?.stop();
    // A server that has ended is forgotten once it has not reported for 20 s.
    await server.query(sql`update server_key set seen_at = seen_at - 20000 where pid = ${ended?.pid ?? 0}`);
    const rotated = await runHengtai(server, ['keys', 'rotate', 'otp'], { AUDIT_DIR: server.auditDir, ...after });
    expect(rotated).toMatchObject({ code: 0, text: expect.stringContaining('No secret needs another key') });
    servers.push(await startOtherProcess(server, { OTP_KEY: fresh }));
    const last = servers.at(-1)?.url ?? '';
    for (const holder of holders)
      expect(await logIn(last, holder, holder.recovery[5] ?? '')).toMatchObject({ code: 200 });
    for (const env of [before, { OTP_KEY: 'c'.repeat(64) }])
      expect(await startFailing(env)).toEqual({
        code: 78,
        text: expect.stringMatching(
          /^Secrets of one-time codes are encrypted with the key [0-9a-f]{16} that is missing here: .*\n$/,
        ),
      });
  } finally {
    await Promise.all(servers.map((started) => started.stop()));
  }
}, 300_000);

function startFailing(env: Record<string, string>): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, nodeArguments('server/src/programs/main.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: server.urls.app,
      DATABASE_APP_URL: server.urls.app,
      DATA_DIR: server.auditDir,
      AUDIT_DIR: server.auditDir,
      PORT: '28499',
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}
