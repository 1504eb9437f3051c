/**
 * Watches wallets on a chain of the kind of Ethereum by the JSON-RPC of any node: ERC-20 tokens by their `Transfer` events, the
 * chain's own coin by the transactions of each block, fees by receipts.
 *
 * Not covered: what happened before the first run; the chain's own coin where contracts pay it (their inner calls are in no
 * block and no event); tokens that change balances without an event; fees that chains add beside the gas, such as those for
 * data of rollups; fees of relayers, which are not yours; numbers of withdrawals and recharges (the back office finds them by
 * hash and index); reorganisations of more than `KEPT_BLOCKS`.
 */
import type { PlatformEvent } from '../src/index.ts';
import { type EvmTransaction, type TransferLog, amountText, balanceCall, listTransfers, topicsOf } from './evm-data.ts';
import type { Rpc } from './json-rpc.ts';
import type { Memory } from './memory.ts';
import { type Moved, type WalletKind, movedEvent, numberOf, readingEvent, revertedEvent, savedEvent } from './watch.ts';

export interface EvmWallet {
  /** Id of the wallet in the back office. */
  wallet: string;
  name?: string;
  kind: WalletKind;
  /** Lower case, with 0x. */
  address: string;
}

export interface EvmCoin {
  market: string;
  decimals: number;
  /** Lower case; absent for the chain's own coin. */
  contract?: string;
  wallets: readonly EvmWallet[];
}

export interface EvmChain {
  network: string;
  /** Blocks so deep below the latest one are read, 0 for the latest. */
  depth: number;
  /** The first one is the chain's own coin, also if it has no wallets. */
  coins: readonly [EvmCoin, ...EvmCoin[]];
}

interface Block {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: EvmTransaction[];
}

interface SeenBlock {
  number: number;
  hash: string;
  /** Numbers of the moves that were reported of it. */
  moves: string[];
}

/** The latest blocks that were read, the oldest first. */
export interface EvmPosition {
  blocks: SeenBlock[];
}

const KEPT_BLOCKS = 256;
/** Blocks of one run, so that the position is stored now and then. */
const RUN_BLOCKS = 50;

const hex = (number: number): string => `0x${number.toString(16)}`;

/** Reads new blocks and stores what they have with the new position. */
export async function pollEvm(
  rpc: Rpc,
  chain: EvmChain,
  memory: Memory<EvmPosition>,
  now: () => number = Date.now,
): Promise<void> {
  const latest = Number(await rpc<string>('eth_blockNumber')) - chain.depth;
  if (!memory.position) return open(rpc, chain, memory, latest);
  const { blocks, events } = await dropReplaced(rpc, memory.position, now());
  const from = (blocks.at(-1)?.number ?? latest) + 1;
  for (let number = from; number <= Math.min(latest, from + RUN_BLOCKS - 1); number += 1) {
    const block = await fetchBlock(rpc, number);
    // Replaced while it was read: the next run drops what comes before it.
    if (block.parentHash !== blocks.at(-1)?.hash) break;
    const moved = await findMoves(rpc, chain, block);
    const at = Number(block.timestamp) * 1_000;
    events.push(...moved.map((move) => movedEvent(at, move)));
    events.push(...(await readWallets(rpc, chain, block, new Set(moved.map((move) => move.wallet)))));
    blocks.push({ number, hash: block.hash, moves: moved.map(({ no }) => no) });
  }
  memory.advance({ blocks: blocks.slice(-KEPT_BLOCKS) }, events);
}

async function fetchBlock(rpc: Rpc, number: number): Promise<Block> {
  const block = await rpc<Block | null>('eth_getBlockByNumber', [hex(number), true]);
  if (!block) throw new Error(`block ${number} does not exist`);
  return block;
}

/** Saves the wallets with their first readings. */
async function open(rpc: Rpc, chain: EvmChain, memory: Memory<EvmPosition>, number: number): Promise<void> {
  const block = await fetchBlock(rpc, number);
  const at = Number(block.timestamp) * 1_000;
  const saved = chain.coins.flatMap(({ market, wallets }) =>
    wallets.map(({ wallet, name, kind, address }) =>
      savedEvent(at, { wallet, ...(name && { name }), kind, market, network: chain.network, address, state: 1 }),
    ),
  );
  const readings = await readWallets(rpc, chain, block);
  memory.advance({ blocks: [{ number, hash: block.hash, moves: [] }] }, [...saved, ...readings]);
}

/** Reverts the moves of blocks that are no longer part of the chain. @throws if no block that was read is part of it */
async function dropReplaced(
  rpc: Rpc,
  position: EvmPosition,
  at: number,
): Promise<{ blocks: SeenBlock[]; events: PlatformEvent[] }> {
  const blocks = [...position.blocks];
  const events: PlatformEvent[] = [];
  for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
    const current = await rpc<Block | null>('eth_getBlockByNumber', [hex(last.number), false]);
    if (current?.hash === last.hash) return { blocks, events };
    events.push(...last.moves.toReversed().map((no) => revertedEvent(at, no)));
    blocks.pop();
  }
  throw new Error('the chain was replaced below all blocks that are remembered');
}

/** What a block moved in the wallets. The fee of a transaction is stated by its first move of the address that sent it. */
async function findMoves(rpc: Rpc, { coins }: EvmChain, block: Block): Promise<Moved[]> {
  const [native] = coins;
  const addresses = new Set(coins.flatMap(({ wallets }) => wallets.map(({ address }) => address)));
  const receipts = await fetchReceipts(rpc, addresses, block);
  const fees = new Map([...receipts].filter(([, { from }]) => addresses.has(from)));
  const logs = await fetchLogs(rpc, coins, block);
  const moves: Moved[] = [];
  for (const coin of coins) {
    const own = new Map(coin.wallets.map((wallet) => [wallet.address, wallet]));
    const transfers = listTransfers(coin, logs, block.transactions, receipts);
    for (const { from, to, value, txHash, index } of transfers)
      for (const [side, other, sign] of [
        [from, to, '-'],
        [to, from, ''],
      ] as const) {
        const wallet = own.get(side);
        if (!wallet || value === 0n) continue;
        const fee = sign === '-' && fees.get(txHash)?.from === side ? fees.get(txHash) : undefined;
        if (fee) fees.delete(txHash);
        moves.push({
          no: numberOf(txHash, `${index ?? 'value'}${sign === '-' ? 'out' : 'in'}`, block.hash),
          wallet: wallet.wallet,
          amount: `${sign}${amountText(value, coin.decimals)}`,
          txHash,
          ...(index !== undefined && { index }),
          address: other,
          kind: kindOf(wallet.kind, sign === '-', own.has(other)),
          ...(fee && { fee: amountText(fee.wei, native.decimals), feeMarket: native.market }),
          block: Number(block.number),
        });
      }
  }
  // Transactions that failed, or that called something else, took a fee only.
  for (const [txHash, { from, wei }] of fees) {
    const wallet = native.wallets.find(({ address }) => address === from);
    if (!wallet || wei === 0n) continue;
    const no = numberOf(txHash, 'fee', block.hash);
    const amount = `-${amountText(wei, native.decimals)}`;
    moves.push({ no, wallet: wallet.wallet, amount, txHash, kind: 'fee', block: Number(block.number) });
  }
  return moves;
}

function kindOf(kind: WalletKind, isOut: boolean, isBetween: boolean): Moved['kind'] {
  if (isBetween) return 'move';
  if (isOut) return kind === 'hot' ? 'payout' : 'other';
  return kind === 'deposit' || kind === 'hot' ? 'deposit' : 'other';
}

interface Receipt {
  from: string;
  wei: bigint;
  isOk: boolean;
}

/** What became of the transactions from and to own addresses. */
async function fetchReceipts(rpc: Rpc, own: ReadonlySet<string>, block: Block): Promise<Map<string, Receipt>> {
  const receipts = new Map<string, Receipt>();
  for (const { hash, from, to } of block.transactions) {
    if (!own.has(from) && !own.has(to ?? '')) continue;
    const { gasUsed, effectiveGasPrice, status } = await rpc<{
      gasUsed: string;
      effectiveGasPrice: string;
      status: string;
    }>('eth_getTransactionReceipt', [hash]);
    receipts.set(hash, { from, wei: BigInt(gasUsed) * BigInt(effectiveGasPrice), isOk: status === '0x1' });
  }
  return receipts;
}

/** The transfers of tokens from and to own addresses in a block. */
async function fetchLogs(rpc: Rpc, coins: readonly EvmCoin[], { hash }: Block): Promise<TransferLog[]> {
  const tokens = coins.filter(({ contract, wallets }) => contract !== undefined && wallets.length > 0);
  if (tokens.length === 0) return [];
  const address = tokens.map(({ contract }) => contract);
  const own = [...new Set(tokens.flatMap(({ wallets }) => wallets.map((wallet) => wallet.address)))];
  const found = new Map<string, TransferLog>();
  // The block is named by its hash: another block of the same height gives an error and not its own events.
  for (const topics of topicsOf(own))
    for (const log of await rpc<TransferLog[]>('eth_getLogs', [{ blockHash: hash, address, topics }]))
      found.set(log.logIndex, log);
  return [...found.values()].toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex));
}

/** What wallets hold after a block; all, or those that moved and those that pay fees. */
async function readWallets(
  rpc: Rpc,
  { coins }: EvmChain,
  block: Block,
  moved?: ReadonlySet<string>,
): Promise<PlatformEvent[]> {
  const at = Number(block.timestamp) * 1_000;
  const events: PlatformEvent[] = [];
  for (const { contract, decimals, wallets } of coins)
    for (const { wallet, address } of wallets) {
      if (moved && !moved.has(wallet) && !(contract === undefined && moved.size > 0)) continue;
      // Asked by the hash as well, so that the answer is of this block.
      const of = { blockHash: block.hash };
      const value =
        contract === undefined
          ? await rpc<string>('eth_getBalance', [address, of])
          : await rpc<string>('eth_call', [balanceCall(contract, address), of]);
      const amount = amountText(BigInt(value), decimals);
      events.push(readingEvent(at, { wallet, amount, block: Number(block.number) }, block.hash));
    }
  return events;
}
