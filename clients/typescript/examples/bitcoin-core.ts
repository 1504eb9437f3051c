/**
 * Watches one descriptor wallet of Bitcoin Core (26 and later, for `lastprocessedblock`), best one with public descriptors only,
 * and reports it as one wallet with all its addresses.
 *
 * Not covered: what happened before the first run, and a reorganisation that replaces the block of the first reading; mined
 * coins; numbers of withdrawals and recharges (the back office finds them by hash and output); which own wallet an incoming
 * payment came from; fees of transactions that others fund as well; wallets with `avoid_reuse`, whose used coins the balance
 * leaves out; reorganisations of more than `KEPT_BLOCKS`.
 */
import type { PlatformEvent } from '../src/index.ts';
import type { Rpc } from './json-rpc.ts';
import type { Memory } from './memory.ts';
import { type Moved, type WalletKind, movedEvent, numberOf, readingEvent, revertedEvent, savedEvent } from './watch.ts';

export interface BitcoinWallet {
  /** Id of the wallet in the back office. */
  wallet: string;
  name?: string;
  kind: WalletKind;
  market: string;
  network: string;
  /** Addresses of other wallets of the platform: what goes there is a move, no payout. */
  isOwn: (address: string) => boolean;
}

/** What the watcher remembers. */
export interface BitcoinPosition {
  /** Height and time of the first reading: earlier transactions are part of it. */
  openedHeight: number;
  openedAt: number;
  /** The block up to which nothing changes any more; the next call lists what comes after it. */
  settledHash: string;
  /** The block of the latest reading. */
  readHash: string;
  /** Reported moves that a reorganisation may still drop, by place in their transaction. */
  moves: Record<string, { no: string; blockHash: string; height: number }>;
}

/** Fields of `listsinceblock` that are used. Amounts are numbers with eight decimals. */
interface Entry {
  address?: string;
  category: 'send' | 'receive' | 'generate' | 'immature' | 'orphan';
  amount: number;
  vout: number;
  fee?: number;
  confirmations: number;
  blockhash?: string;
  blockheight?: number;
  blocktime?: number;
  txid: string;
  abandoned?: boolean;
}

interface Listed {
  transactions: Entry[];
  /** Those of blocks that are no longer part of the chain; some are in `transactions` again. */
  removed: Entry[];
  lastblock: string;
}

interface Balances {
  mine: { trusted: number };
  lastprocessedblock: { hash: string; height: number };
}

/** The block so deep below the best one is taken as settled. */
const SETTLED_DEPTH = 6;
/** Reported moves are compared with the chain for so many blocks. */
const KEPT_BLOCKS = 144;

/** Numbers of JSON have 15 exact digits, and all coins together have as many with their eight decimals. */
const amountText = (amount: number): string => amount.toFixed(8);

/** Reads what is new, and stores it with the new position. */
export async function pollBitcoin(
  rpc: Rpc,
  wallet: BitcoinWallet,
  memory: Memory<BitcoinPosition>,
  now: () => number = Date.now,
): Promise<void> {
  await requireWatchable(rpc);
  const best = await rpc<string>('getbestblockhash');
  const position = memory.position ?? (await open(rpc, wallet, memory, best, now()));
  if (!position) return;
  const { settledHash } = position;
  const settled = await rpc<{ height: number }>('getblockheader', [settledHash]);
  const list = await rpc<Listed>('listsinceblock', [settledHash, SETTLED_DEPTH, true, true]);
  const { events, moves } = compare(list, settled.height, wallet, position, now());
  const { mine, lastprocessedblock } = await rpc<Balances>('getbalances');
  const { hash, height } = lastprocessedblock;
  // A payment that no block has yet has left the balance, and a new block may have come meanwhile: a later reading is right.
  const isReadable = hash === best && hash !== position.readHash && !list.transactions.some(isPending);
  if (isReadable)
    events.push(readingEvent(now(), { wallet: wallet.wallet, amount: amountText(mine.trusted), block: height }, hash));
  const kept = Object.entries(moves).filter(([, move]) => move.height > height - KEPT_BLOCKS);
  const read = isReadable ? { readHash: hash } : {};
  memory.advance({ ...position, ...read, settledHash: list.lastblock, moves: Object.fromEntries(kept) }, events);
}

/** @throws unless the wallet has descriptors and is not reading the chain for the first time */
async function requireWatchable(rpc: Rpc): Promise<void> {
  const info = await rpc<{ walletname: string; scanning: false | { progress: number } }>('getwalletinfo');
  if (info.scanning !== false) throw new Error(`the wallet ${info.walletname} is still scanning the chain`);
  const { descriptors } = await rpc<{ descriptors: { desc: string }[] }>('listdescriptors');
  if (descriptors.length === 0) throw new Error(`the wallet ${info.walletname} has no descriptors`);
}

/** Saves the wallet with its first reading. @returns undefined if there can be none yet */
async function open(
  rpc: Rpc,
  { wallet, name, kind, market, network }: BitcoinWallet,
  memory: Memory<BitcoinPosition>,
  best: string,
  at: number,
): Promise<BitcoinPosition | undefined> {
  const { transactions } = await rpc<{ transactions: Entry[] }>('listsinceblock', [best]);
  const { mine, lastprocessedblock } = await rpc<Balances>('getbalances');
  const { hash, height } = lastprocessedblock;
  if (hash !== best || transactions.some(isPending)) return undefined;
  const place = { wallet, ...(name !== undefined && { name }), kind, market, network, state: 1 as const };
  const position = { openedHeight: height, openedAt: at, settledHash: best, readHash: best, moves: {} };
  const reading = readingEvent(at, { wallet, amount: amountText(mine.trusted), block: height }, best);
  memory.advance(position, [savedEvent(at, place), reading]);
  return position;
}

/** In no block, and neither given up nor replaced by a conflicting one. */
const isPending = ({ confirmations, abandoned }: Entry): boolean => confirmations === 0 && abandoned !== true;

/** What is in the chain now and was not, and the other way round. */
function compare(
  { transactions: entries, removed }: Listed,
  settledHeight: number,
  wallet: BitcoinWallet,
  { openedHeight, openedAt, moves }: BitcoinPosition,
  now: number,
): { events: PlatformEvent[]; moves: BitcoinPosition['moves'] } {
  const found = new Map(
    entries
      .filter(({ category, confirmations }) => (category === 'send' || category === 'receive') && confirmations > 0)
      .filter(({ blockheight = 0 }) => blockheight > openedHeight)
      .map((entry) => [placeOf(entry), entry]),
  );
  const removedPlaces = new Set(removed.map(placeOf));
  const events: PlatformEvent[] = [];
  const next: BitcoinPosition['moves'] = {};
  for (const [place, move] of Object.entries(moves)) {
    const entry = found.get(place);
    // The list has all that is above the settled block, and what was removed below it.
    const isGone = entry ? entry.blockhash !== move.blockHash : move.height > settledHeight || removedPlaces.has(place);
    if (isGone) events.push(revertedEvent(now, move.no));
    else next[place] = move;
  }
  const stated = new Set<string>();
  for (const [place, entry] of found) {
    const { blockhash = '', blockheight = 0, blocktime = 0, txid, fee } = entry;
    const isFirst = entry.category === 'send' && !stated.has(txid);
    if (isFirst) stated.add(txid);
    if (next[place]) continue;
    const no = numberOf(txid, `${entry.vout}${entry.category === 'send' ? 'out' : 'in'}`, blockhash);
    // Miners may be hours wrong.
    const at = Math.min(Math.max(blocktime * 1_000, openedAt), now);
    events.push(movedEvent(at, { ...moveOf(entry, wallet, no), ...(isFirst && fee !== undefined && feeOf(fee)) }));
    next[place] = { no, blockHash: blockhash, height: blockheight };
  }
  return { events, moves: next };
}

const placeOf = ({ txid, vout, category }: Entry): string => `${txid}:${vout}:${category}`;

const feeOf = (fee: number): { fee: string } => ({ fee: amountText(Math.abs(fee)) });

function moveOf(entry: Entry, { wallet, kind: of, isOwn }: BitcoinWallet, no: string): Moved {
  const { amount, address, txid, vout, blockheight = 0, category } = entry;
  const isOut = category === 'send';
  const kindIn = of === 'deposit' || of === 'hot' ? 'deposit' : 'other';
  const kindOut = of === 'hot' ? 'payout' : 'other';
  const isBetween = isOut && address !== undefined && isOwn(address);
  return {
    no,
    wallet,
    amount: amountText(amount),
    txHash: txid,
    index: vout,
    ...(isOut && address !== undefined && { address }),
    kind: isBetween ? 'move' : isOut ? kindOut : kindIn,
    block: blockheight,
  };
}
