import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import { Value } from '@sinclair/typebox/value';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BitcoinPosition, type BitcoinWallet, pollBitcoin } from '../examples/bitcoin-core.ts';
import type { Rpc } from '../examples/json-rpc.ts';
import { Memory } from '../examples/memory.ts';
import type { PlatformEvent } from '../src/index.ts';

const wallet: BitcoinWallet = {
  wallet: 'btc-hot',
  kind: 'hot',
  market: 'BTC',
  network: 'Bitcoin',
  isOwn: (address) => address === 'bc1cold',
};
const OPENED = 1_700_000_000_000;

interface Block {
  hash: string;
  entries: object[];
}

/** Answers of a node in the form of its documentation, for a chain that tests change. */
class Node {
  blocks: Block[] = [{ hash: 'b100', entries: [] }];
  pending: object[] = [];
  removed: object[] = [];
  balance = 1.5;
  scanning: false | { progress: number } = false;
  readonly #known = new Map<string, number>();

  add(hash: string, ...entries: object[]): void {
    this.blocks.push({ hash, entries });
  }

  readonly rpc: Rpc = async <T>(method: string, params: readonly unknown[] = []) => this.#answer(method, params) as T;

  #answer(method: string, [hash, depth = 1]: readonly unknown[]): unknown {
    this.blocks.forEach((block, index) => this.#known.set(block.hash, 100 + index));
    const height = 99 + this.blocks.length;
    const best = this.blocks.at(-1)?.hash;
    switch (method) {
      case 'getwalletinfo':
        return { walletname: 'hot', descriptors: true, private_keys_enabled: false, scanning: this.scanning };
      case 'listdescriptors':
        return { wallet_name: 'hot', descriptors: [{ desc: 'wpkh(xpub…/0/*)#0000', active: true, internal: false }] };
      case 'getbestblockhash':
        return best;
      case 'getblockheader':
        return { hash, height: this.#known.get(String(hash)) };
      case 'getbalances':
        return {
          mine: { trusted: this.balance, untrusted_pending: 0, immature: 0 },
          lastprocessedblock: { hash: best, height },
        };
      case 'listsinceblock': {
        const since = this.blocks.findIndex((block) => block.hash === hash);
        const fork = Math.min((this.#known.get(String(hash)) ?? 100) - 100, this.blocks.length - 1);
        const listed = this.blocks.slice((since < 0 ? fork - 1 : since) + 1).flatMap((block) => {
          const blockheight = 100 + this.blocks.indexOf(block);
          const place = { blockhash: block.hash, blockheight, blocktime: 1_700_000_000 + blockheight };
          return block.entries.map((entry) => ({ ...entry, ...place, confirmations: height - blockheight + 1 }));
        });
        const lastblock = this.blocks.at(-Number(depth))?.hash ?? this.blocks[0]?.hash;
        return { transactions: [...listed, ...this.pending], removed: this.removed, lastblock };
      }
      default:
        throw new Error(`no answer to ${method} was recorded`);
    }
  }
}

const receive = { address: 'bc1hot', category: 'receive', amount: 0.1, vout: 1, txid: 'tx-in' };
const send = { address: 'bc1user', category: 'send', amount: -0.2, vout: 0, fee: -0.00001234, txid: 'tx-out' };

let directory: string;
let node: Node;
let now = OPENED;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bitcoin-watcher-'));
  node = new Node();
  now = OPENED;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Polls as a process that has just started, and returns what it would send. */
async function poll(): Promise<PlatformEvent[]> {
  const memory = new Memory<BitcoinPosition>(join(directory, 'state.json'));
  now += 60_000;
  await pollBitcoin(node.rpc, wallet, memory, () => now);
  const events = memory.next(1_000);
  for (const { type, data } of events) expect([...Value.Errors(eventData[type], data)]).toEqual([]);
  memory.mark(events.map(({ eventId }) => ({ eventId, result: 'applied' })));
  return events;
}
const dataOf = (events: readonly PlatformEvent[]) => events.map(({ type, data }) => ({ type, ...data }));

test('begins with the wallet and its first reading; what was before is part of it', async () => {
  node.blocks[0]?.entries.push(receive);
  expect(dataOf(await poll())).toEqual([
    { type: 'wallet.saved', wallet: 'btc-hot', kind: 'hot', market: 'BTC', network: 'Bitcoin', state: 1 },
    { type: 'wallet.balance', wallet: 'btc-hot', amount: '1.50000000', block: 100 },
  ]);
  expect(await poll()).toEqual([]);
});

test('reports what blocks have, the fee once, and the reading after them', async () => {
  await poll();
  const change = { ...send, address: 'bc1cold', amount: -0.3, vout: 2 };
  node.add('b101', receive, send, change);
  node.balance = 1.09998766;
  const events = await poll();
  const both = { wallet: 'btc-hot', block: 101 };
  expect(dataOf(events)).toMatchObject([
    { type: 'chain.moved', ...both, kind: 'deposit', amount: '0.10000000', txHash: 'tx-in', index: 1 },
    {
      ...both,
      kind: 'payout',
      amount: '-0.20000000',
      txHash: 'tx-out',
      index: 0,
      address: 'bc1user',
      fee: '0.00001234',
    },
    { ...both, kind: 'move', amount: '-0.30000000', txHash: 'tx-out', index: 2, address: 'bc1cold' },
    { type: 'wallet.balance', ...both, amount: '1.09998766' },
  ]);
  expect(Object.keys(events[2]?.data ?? {})).not.toContain('fee');
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(4);
  expect(await poll()).toEqual([]);
});

test('takes no reading while a payment is in no block', async () => {
  await poll();
  node.pending = [{ ...send, confirmations: 0 }];
  node.balance = 1.29998766;
  node.add('b101');
  expect(await poll()).toEqual([]);
  node.pending = [];
  node.add('b102', send);
  expect((await poll()).map(({ type }) => type)).toEqual(['chain.moved', 'wallet.balance']);
});

test('a reorganisation reverts the move, and the next block has it under another number', async () => {
  await poll();
  node.add('b101', receive);
  const [moved] = await poll();
  node.blocks.pop();
  node.add('b101x');
  node.pending = [{ ...receive, confirmations: 0 }];
  const dropped = await poll();
  expect(dataOf(dropped)).toEqual([{ type: 'chain.reverted', no: moved?.type === 'chain.moved' ? moved.data.no : '' }]);
  node.pending = [];
  node.add('b102x', receive);
  const again = await poll();
  expect(dataOf(again)).toMatchObject([
    { type: 'chain.moved', txHash: 'tx-in', block: 102 },
    { type: 'wallet.balance' },
  ]);
  expect(again[0]?.eventId).not.toBe(moved?.eventId);
});

test('a move that goes to another block at once is reverted and moved', async () => {
  await poll();
  node.add('b101', receive);
  await poll();
  node.blocks.pop();
  node.add('b101x', receive);
  expect((await poll()).map(({ type }) => type)).toEqual(['chain.reverted', 'chain.moved', 'wallet.balance']);
});

test('what is far below the best block is final, unless the node says that it was removed', async () => {
  await poll();
  node.add('b101', receive);
  for (let height = 102; height < 112; height += 1) node.add(`b${height}`);
  await poll();
  await poll();
  node.add('b112');
  expect((await poll()).map(({ type }) => type)).toEqual(['wallet.balance']);
  node.removed = [receive];
  expect((await poll()).map(({ type }) => type)).toEqual(['chain.reverted']);
});

test('a refused event stays for somebody to look at, and the others are not sent again', async () => {
  const memory = new Memory<BitcoinPosition>(join(directory, 'state.json'));
  await pollBitcoin(node.rpc, wallet, memory, () => now);
  const [saved, reading] = memory.next(10);
  memory.mark([
    { eventId: saved?.eventId ?? '', result: 'rejected', reason: 'unknown: network' },
    { eventId: reading?.eventId ?? '', result: 'applied' },
  ]);
  const again = new Memory<BitcoinPosition>(join(directory, 'state.json'));
  expect(again.next(10)).toEqual([]);
  expect(again.rejected).toEqual([{ event: saved, reason: 'unknown: network' }]);
});

test('waits for a wallet that is still scanning', async () => {
  node.scanning = { progress: 0.5 };
  await expect(poll()).rejects.toThrow('hot is still scanning');
});
