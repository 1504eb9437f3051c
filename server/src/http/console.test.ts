import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mountConsole } from './console.ts';

const directory = mkdtempSync(join(tmpdir(), 'hengtai-console-'));
let server: FastifyInstance;

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<div id="root"></div>');
  for (const ending of ['', '.br', '.gz']) writeFileSync(join(directory, `assets/a.js${ending}`), `a${ending}`);
  writeFileSync(join(directory, 'assets/short.js'), 'short');
  mkdirSync(join(directory, 'signing'));
  writeFileSync(join(directory, 'signing/index.html'), '<title>signing</title>');
  mkdirSync(join(directory, '.vite'));
  writeFileSync(join(directory, '.vite/manifest.json'), '{"secret":1}');
  server = Fastify();
  const console = await mountConsole(server, directory);
  server.setNotFoundHandler((request, reply) => console.send(request, reply));
  await server.ready();
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = async (url: string, encodings?: string) => {
  const { body, headers } = await server.inject({
    url,
    ...(encodings !== undefined && { headers: { 'accept-encoding': encodings } }),
  });
  return { body, type: headers['content-type'], encoding: headers['content-encoding'], vary: headers['vary'], cacheControl: headers['cache-control'] };
}; // prettier-ignore

test.each([
  ['gzip, deflate, br, zstd', 'br', 'a.br'],
  ['gzip', 'gzip', 'a.gz'],
  ['identity', undefined, 'a'],
  [undefined, undefined, 'a'],
])('serves the precompressed file for accept-encoding %s', async (encodings, encoding, body) => {
  expect(await get('/assets/a.js', encodings)).toEqual({
    body,
    encoding,
    type: 'application/javascript; charset=utf-8',
    vary: 'accept-encoding',
    cacheControl: 'public, max-age=31536000, immutable',
  });
});

test('serves files without a compressed copy unchanged, and documents with no-cache', async () => {
  expect(await get('/assets/short.js', 'br, gzip')).toMatchObject({ body: 'short', encoding: undefined });
  expect(await get('/withdraw', 'br')).toMatchObject({ body: '<div id="root"></div>', encoding: undefined, cacheControl: 'no-cache' });
}); // prettier-ignore

test('serves the signing page as a document of its own', async () => {
  expect(await get('/signing/')).toMatchObject({ body: '<title>signing</title>', cacheControl: 'no-cache' });
  expect(await get('/signing/other')).toMatchObject({ body: '<div id="root"></div>' });
});

test.each(['/.vite/manifest.json', '/%2evite/manifest.json', '/assets/../.vite/manifest.json'])(
  'does not serve the manifest of the build: %s',
  async (url) => {
    expect((await get(url)).body).not.toContain('secret');
  },
);
