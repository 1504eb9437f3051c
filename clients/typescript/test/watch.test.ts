import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectRpc } from '../examples/json-rpc.ts';
import { Memory } from '../examples/memory.ts';
import { watch } from '../examples/watch.ts';

let node: Server;
let url: string;
let directory: string;
let calls: { authorization: string | undefined; method: string; params: unknown[] }[];
let answer: object;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'watch-'));
  calls = [];
  node = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      calls.push({
        authorization: request.headers.authorization,
        ...(JSON.parse(body) as { method: string; params: [] }),
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => node.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

test('a call of a node gives its result, and its error by the name of the call', async () => {
  const rpc = connectRpc(url, 'Basic dXNlcjpwYXNz');
  answer = { result: '0x10' };
  expect(await rpc('eth_blockNumber')).toBe('0x10');
  expect(await rpc('eth_getBalance', ['0x1', 'latest'])).toBe('0x10');
  expect(calls).toMatchObject([
    { authorization: 'Basic dXNlcjpwYXNz', method: 'eth_blockNumber', params: [] },
    { method: 'eth_getBalance', params: ['0x1', 'latest'] },
  ]);
  answer = { result: null };
  expect(await rpc('eth_getBlockByNumber')).toBe(null);
  answer = { error: { code: -32_601, message: 'no such method' } };
  await expect(rpc('eth_other')).rejects.toThrow('eth_other: -32601 no such method');
  answer = {};
  await expect(rpc('eth_other')).rejects.toThrow('eth_other: status 200 without a result');
});

test('watching goes on after an error of the node, sends what was found, and ends with the signal', async () => {
  const stop = new AbortController();
  const memory = new Memory<number>(join(directory, 'state.json'));
  let polls = 0;
  const poll = async (): Promise<void> => {
    polls += 1;
    if (polls === 1) throw new Error('the node restarts');
    memory.advance(polls, []);
  };
  const drained: (number | undefined)[] = [];
  const client = {
    drainOutbox: async () => {
      drained.push(memory.position);
      if (drained.length === 3) stop.abort();
      return 0;
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  await watch(poll, { client, memory, pauseMs: 0, signal: stop.signal, onError });
  expect(errors).toEqual([new Error('the node restarts')]);
  expect(drained).toEqual([undefined, 2, 3]);
});
