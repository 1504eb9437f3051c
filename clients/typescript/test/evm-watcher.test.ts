import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import { Value } from '@sinclair/typebox/value';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TRANSFER, amountText } from '../examples/evm-data.ts';
import { type EvmChain, type EvmPosition, pollEvm } from '../examples/evm.ts';
import type { Rpc } from '../examples/json-rpc.ts';
import { Memory } from '../examples/memory.ts';
import type { PlatformEvent } from '../src/index.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const word = (of: string): string => `0x${of.slice(2).padStart(64, '0')}`;
const [HOT, COLD, USER, TOKEN, DEPOSIT] = ['1', '2', '3', '4', '5'].map(address) as [
  string,
  string,
  string,
  string,
  string,
];

const chain: EvmChain = {
  network: 'ERC20',
  depth: 0,
  coins: [
    { market: 'ETH', decimals: 18, wallets: [{ wallet: 'eth-hot', kind: 'hot', address: HOT }] },
    {
      market: 'USDT',
      decimals: 6,
      contract: TOKEN,
      wallets: [
        { wallet: 'usdt-hot', kind: 'hot', address: HOT },
        { wallet: 'usdt-cold', kind: 'cold', address: COLD },
        { wallet: 'usdt-deposit', kind: 'deposit', address: DEPOSIT },
      ],
    },
  ],
};

interface Transaction {
  hash: string;
  from: string;
  to: string | null;
  value?: bigint;
  status?: '0x1' | '0x0';
  tokens?: [from: string, to: string, units: bigint][];
}

interface TestBlock {
  hash: string;
  transactions: Transaction[];
}

/** Answers of a node in the form of its documentation, for a chain that tests change. */
class Node {
  readonly blocks: TestBlock[] = [{ hash: '0xb0', transactions: [] }];
  readonly asked: string[] = [];

  add(hash: string, ...transactions: Transaction[]): void {
    this.blocks.push({ hash, transactions });
  }

  readonly rpc: Rpc = async <T>(method: string, params: readonly unknown[] = []) => {
    this.asked.push(method);
    return this.#answer(method, params) as T;
  };

  #answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_blockNumber':
        return `0x${(this.blocks.length - 1).toString(16)}`;
      case 'eth_getBlockByNumber': {
        const number = Number(params[0]);
        const block = this.blocks[number];
        if (!block) return null;
        const timestamp = `0x${(1_700_000_000 + 12 * number).toString(16)}`;
        const transactions = block.transactions.map(({ hash, from, to, value = 0n }) => ({
          hash,
          from,
          to,
          value: `0x${value.toString(16)}`,
        }));
        const parentHash = this.blocks[number - 1]?.hash ?? '0x';
        return { number: params[0], hash: block.hash, parentHash, timestamp, transactions };
      }
      case 'eth_getTransactionReceipt': {
        const found = this.blocks.flatMap(({ transactions }) => transactions).find(({ hash }) => hash === params[0]);
        return { gasUsed: '0xfde8', effectiveGasPrice: '0x3b9aca00', status: found?.status ?? '0x1' };
      }
      case 'eth_getLogs':
        return this.#findLogs(params[0] as { blockHash: string; topics: (string | string[] | null)[] });
      case 'eth_getBalance':
        return '0xde0b6b3a7640000';
      case 'eth_call':
        return word('0xf4240');
      default:
        throw new Error(`no answer to ${method} was recorded`);
    }
  }

  #findLogs({ blockHash, topics }: { blockHash: string; topics: (string | string[] | null)[] }): object[] {
    const block = this.blocks.find(({ hash }) => hash === blockHash);
    const logs = (block?.transactions ?? []).flatMap(({ hash, tokens = [] }) =>
      tokens.map(([from, to, units]) => ({
        hash,
        topics: [TRANSFER, word(from), word(to)],
        data: word(`0x${units.toString(16)}`),
      })),
    );
    return logs
      .map(({ hash, ...log }, index) => ({
        ...log,
        address: TOKEN,
        transactionHash: hash,
        logIndex: `0x${index.toString(16)}`,
        removed: false,
      }))
      .filter((log) => topics.every((wanted, place) => wanted === null || wanted.includes(log.topics[place] ?? '')));
  }
}

let directory: string;
let node: Node;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'evm-watcher-'));
  node = new Node();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Polls as a process that has just started, and returns what it would send. */
async function poll(): Promise<PlatformEvent[]> {
  const memory = new Memory<EvmPosition>(join(directory, 'state.json'));
  await pollEvm(node.rpc, chain, memory, () => 1_800_000_000_000);
  const events = memory.next(1_000);
  for (const { type, data } of events) expect([...Value.Errors(eventData[type], data)]).toEqual([]);
  memory.mark(events.map(({ eventId }) => ({ eventId, result: 'applied' })));
  return events;
}
const movesOf = (events: readonly PlatformEvent[]) =>
  events.flatMap((event) => (event.type === 'chain.moved' ? [event.data] : []));

/** 65,000 gas at 1 gwei. */
const FEE = '0.000065';

test('begins with the wallets and their first readings, by the block', async () => {
  const events = await poll();
  expect(events.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 4 }, () => 'wallet.saved'),
    ...Array.from({ length: 4 }, () => 'wallet.balance'),
  ]);
  expect(events[0]?.data).toMatchObject({ wallet: 'eth-hot', market: 'ETH', network: 'ERC20', address: HOT, state: 1 });
  expect(events[4]?.data).toEqual({ wallet: 'eth-hot', amount: '1', block: 0 });
  expect(events[5]?.data).toEqual({ wallet: 'usdt-hot', amount: '1', block: 0 });
  expect(await poll()).toEqual([]);
});

test('tokens that come, go and move between wallets, with the fee of who sent them', async () => {
  await poll();
  node.add(
    '0xb1',
    { hash: '0xt1', from: USER, to: TOKEN, tokens: [[USER, DEPOSIT, 5_000_000n]] },
    { hash: '0xt2', from: HOT, to: TOKEN, tokens: [[HOT, USER, 1_250_000n]] },
    { hash: '0xt3', from: HOT, to: TOKEN, tokens: [[HOT, COLD, 7n]] },
  );
  const events = await poll();
  const fee = { fee: FEE, feeMarket: 'ETH' };
  const common = { block: 1 };
  expect(movesOf(events)).toMatchObject([
    { ...common, wallet: 'usdt-deposit', amount: '5', kind: 'deposit', txHash: '0xt1', index: 0, address: USER },
    { ...common, wallet: 'usdt-hot', amount: '-1.25', kind: 'payout', txHash: '0xt2', index: 1, address: USER, ...fee },
    { ...common, wallet: 'usdt-hot', amount: '-0.000007', kind: 'move', txHash: '0xt3', address: COLD, ...fee },
    { ...common, wallet: 'usdt-cold', amount: '0.000007', kind: 'move', txHash: '0xt3', address: HOT },
  ]);
  const read = events
    .filter(({ type }) => type === 'wallet.balance')
    .map(({ data }) => 'wallet' in data && data.wallet);
  expect(read).toEqual(['eth-hot', 'usdt-hot', 'usdt-cold', 'usdt-deposit']);
});

test("the chain's own coin, what failed, and fees of transactions that move nothing", async () => {
  await poll();
  node.add(
    '0xb1',
    { hash: '0xt1', from: USER, to: HOT, value: 10n ** 17n },
    { hash: '0xt2', from: USER, to: HOT, value: 10n ** 18n, status: '0x0' },
    { hash: '0xt3', from: HOT, to: USER, value: 10n ** 16n },
    { hash: '0xt4', from: HOT, to: USER, value: 10n ** 16n, status: '0x0' },
    { hash: '0xt5', from: HOT, to: null },
  );
  expect(movesOf(await poll())).toMatchObject([
    { wallet: 'eth-hot', amount: '0.1', kind: 'deposit', txHash: '0xt1' },
    { wallet: 'eth-hot', amount: '-0.01', kind: 'payout', txHash: '0xt3', fee: FEE, feeMarket: 'ETH' },
    { wallet: 'eth-hot', amount: `-${FEE}`, kind: 'fee', txHash: '0xt4' },
    { wallet: 'eth-hot', amount: `-${FEE}`, kind: 'fee', txHash: '0xt5' },
  ]);
});

test('a reorganisation reverts what the replaced blocks had, and reads those in their place', async () => {
  await poll();
  const deposit = { hash: '0xt1', from: USER, to: TOKEN, tokens: [[USER, DEPOSIT, 1n]] } satisfies Transaction;
  node.add('0xb1', deposit);
  node.add('0xb2', { hash: '0xt2', from: HOT, to: USER, value: 1n });
  const [first, second] = movesOf(await poll());
  node.blocks.splice(1);
  node.add('0xb1x');
  node.add('0xb2x', deposit);
  const events = await poll();
  expect(events.slice(0, 2).map(({ type, data }) => [type, 'no' in data && data.no])).toEqual([
    ['chain.reverted', second?.no],
    ['chain.reverted', first?.no],
  ]);
  const [again, ...others] = movesOf(events);
  expect(others).toEqual([]);
  expect(again).toMatchObject({ txHash: '0xt1', wallet: 'usdt-deposit', block: 2 });
  expect(again?.no).not.toBe(first?.no);
});

test('goes on after the last block, many at a time, and stops where the chain does not join', async () => {
  await poll();
  for (let number = 1; number <= 60; number += 1) node.add(`0xb${number}`);
  node.add('0xb61', { hash: '0xt1', from: USER, to: HOT, value: 1n });
  expect(await poll()).toEqual([]);
  expect(movesOf(await poll())).toMatchObject([{ block: 61 }]);
  node.asked.length = 0;
  expect(await poll()).toEqual([]);
  expect(node.asked).toEqual(['eth_blockNumber', 'eth_getBlockByNumber']);
});

test('fails if the chain was replaced below all that is remembered', async () => {
  await poll();
  node.blocks.splice(0, 1, { hash: '0xother', transactions: [] });
  await expect(poll()).rejects.toThrow('below all blocks');
});

test('amounts are exact, and a coin with too many decimals is refused', () => {
  expect([amountText(1n, 18), amountText(10n ** 24n, 6), amountText(0n, 8), amountText(7n, 0)]).toEqual([
    '0.000000000000000001',
    '1000000000000000000',
    '0',
    '7',
  ]);
  expect(() => amountText(1n, 24)).toThrow('24 decimals');
});
