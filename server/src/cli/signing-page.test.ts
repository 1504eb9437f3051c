import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkSigningPage, readSigningSums } from './signing-page.ts';

const consoleDir = mkdtempSync(join(tmpdir(), 'hengtai-signing-'));
const files: Record<string, string> = { 'index.html': '<script src="signing.js">', 'signing.js': 'sign()' };
const sums = Object.entries(files).map(
  ([name, text]) => [name, createHash('sha256').update(text).digest('hex')] as const,
);

let host: Server;
let served: Record<string, string>;
let signingUrl: string;

beforeAll(async () => {
  host = createServer(({ url }, response) => {
    const text = served[url === '/' ? 'index.html' : (url ?? '').slice(1)];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  signingUrl = `http://localhost:${(host.address() as AddressInfo).port}/`;
});
afterAll(() => {
  host.close();
  rmSync(consoleDir, { recursive: true, force: true });
});
beforeEach(() => {
  served = { ...files };
  mkdirSync(join(consoleDir, 'signing'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(consoleDir, 'signing', name), text);
  writeFileSync(join(consoleDir, 'signing/SHA256SUMS'), sums.map(([name, sum]) => `${sum}  ${name}\n`).join(''));
});

const check = (url: string | undefined) =>
  checkSigningPage({ signingUrl: url, publicUrl: undefined, port: 8080 }, consoleDir);

test('names the digest of the page that this server serves', async () => {
  expect(readSigningSums(consoleDir)).toEqual(new Map(sums));
  expect(await check(undefined)).toMatchObject({
    state: 'ok',
    text: expect.stringContaining(`${sums[0]?.[1]}, served by this server`),
  });
  expect(await checkSigningPage({ signingUrl: undefined, publicUrl: undefined, port: 8080 }, undefined)).toMatchObject({
    state: 'warning',
  });
});

test('finds a changed file of the release', async () => {
  writeFileSync(join(consoleDir, 'signing/signing.js'), 'steal()');
  expect(await check(undefined)).toMatchObject({ state: 'problem', text: 'signing.js of this release was changed' });
});

test('compares the page at SIGNING_URL', async () => {
  expect(await check(signingUrl)).toMatchObject({
    state: 'ok',
    text: expect.stringContaining(`the same at ${signingUrl}`),
  });
  served['signing.js'] = 'steal()';
  expect(await check(signingUrl)).toMatchObject({
    state: 'problem',
    text: `${signingUrl}signing.js is not that of this release`,
  });
  delete served['index.html'];
  expect(await check(signingUrl)).toMatchObject({ state: 'warning' });
});
