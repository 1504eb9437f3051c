import { PAGE_MAX, PAGE_SIZE_MAX } from '@hengtai/contract/wire/list';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from 'node:http';
import { type TestServer, login, testServer } from './server.ts';

let server: TestServer;
let url: string;
let token: string;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  token = await login(server);
});
afterAll(() => server.stop());

const calls = Object.values(endpoints).flatMap((noun) => Object.values(noun).map(({ call }) => call));

/** Counts the statements that work sends to the database. Input beyond a limit must be refused before any. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const pool = server.app.requests;
  const statements: string[] = [];
  const getExecutor = pool.getExecutor.bind(pool);
  Object.assign(pool, {
    getExecutor: () => {
      statements.push('a statement');
      return getExecutor();
    },
  });
  try {
    await work();
  } finally {
    Object.assign(pool, { getExecutor });
  }
  return statements.length;
}

const HUGE = 10 ** 9;

describe('a list refuses parameters beyond its limits', () => {
  const lists = calls.filter(({ kind }) => kind === 'list').map(({ path }) => path);
  test.each(lists)('%s', async (path) => {
    for (const query of [
      `page=${HUGE}`,
      `size=${HUGE}`,
      `page=${PAGE_MAX + 1}`,
      `size=${PAGE_SIZE_MAX + 1}`,
      'page=0',
    ]) {
      const send = () =>
        server.server.inject({ method: 'GET', url: `${API_BASE}${path}?${query}`, headers: { token } });
      const statements = await countStatements(async () => expect((await send()).json()).toMatchObject({ code: 422 }));
      expect(statements).toBe(0);
    }
  });
});

describe('a bulk call refuses too many ids', () => {
  const bulk = calls.filter((call) => 'bulk' in call && call.bulk).map(({ path }) => path);
  test('finds bulk calls', () => expect(bulk.length).toBeGreaterThan(0));
  test.each(bulk)('%s', async (path) => {
    const ids = Array.from({ length: 100_000 }, (_, n) => n + 1);
    const response = await fetch(`${url}${API_BASE}${path}`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify({ ids }),
    });
    expect(await response.json()).toMatchObject({ code: 422 });
  });
});

/** Uploads a body with or without a declared length. Resolves with the status and the bytes sent until the answer. */
function upload(
  path: string,
  bytes: number,
  headers: Record<string, string>,
): Promise<{ status: number; sentBytes: number }> {
  return new Promise((resolve, reject) => {
    let sentBytes = 0;
    const uploadRequest = request(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    uploadRequest.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0, sentBytes });
      uploadRequest.destroy();
    });
    uploadRequest.once('error', reject);
    uploadRequest.flushHeaders();
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    const write = (): void => {
      while (sentBytes < bytes && !uploadRequest.destroyed) {
        sentBytes += chunk.length;
        if (!uploadRequest.write(chunk)) return void uploadRequest.once('drain', write);
      }
    };
    write();
  });
}

describe('a body of 10 MB', () => {
  const TEN_MB = 10 * 1024 * 1024;
  const path = `${API_BASE}withdraw/pass`;
  test('is refused by its declared length', async () => {
    expect(await upload(path, 0, { token, 'content-length': String(TEN_MB) })).toMatchObject({ status: 413 });
  });
  test('is refused without a declared length before it is read completely', async () => {
    const { status, sentBytes } = await upload(path, TEN_MB, { token, 'transfer-encoding': 'chunked' });
    expect(status).toBe(413);
    expect(sentBytes).toBeLessThan(TEN_MB);
  });
  test('is not read without authentication', async () => {
    expect(await upload(path, 0, { 'content-length': String(TEN_MB) })).toMatchObject({ status: 200 });
    expect(await upload('/platform/v1/events', 0, { 'content-length': String(TEN_MB) })).toMatchObject({ status: 401 });
  });
});
