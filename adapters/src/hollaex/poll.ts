import type { PlatformEvent } from '../../../clients/typescript/src/index.ts';
import type { Journal } from '../shared/journal.ts';
import { timeOf } from '../shared/time.ts';
import type { ExchangeApi, Movement, MovementList } from './api.ts';
import { noteOfWithdrawal } from './commands.ts';
import { type Coins, isFinal, isTransfer, mapDeposit, mapPayout, mapTrade, mapTransfer } from './mapping.ts';

/** Rows are read again for so long: one that was created earlier may become visible later. */
const OVERLAP_MS = 600_000;

export interface Poll {
  api: ExchangeApi;
  journal: Journal;
  coins: Coins;
  /** Reports what has no place in the back office. */
  log: (text: string) => void;
}

/**
 * Reads what is new or unfinished in the lists of the exchange and stores its events, oldest first. Where a list was read up to
 * is stored after its events, so a crash only repeats rows, and a repeated row gives the same ids.
 */
export async function pollExchange(poll: Poll): Promise<void> {
  const { api, journal, coins } = poll;
  await pollMovements('deposits', poll, async (deposit) => {
    if (!isTransfer(deposit)) return mapDeposit(deposit, coins);
    const withdrawal = await findCounterpart(deposit, api);
    return withdrawal ? mapTransfer(deposit, withdrawal, coins) : [];
  });
  const from = journal.note('trades.from') ?? new Date(0).toISOString();
  let latest = Date.parse(from);
  for await (const trade of api.listTrades(from)) {
    latest = Math.max(latest, timeOf(trade.timestamp) - OVERLAP_MS);
    journal.add(describeOnFailure(poll, () => mapTrade(trade, coins)));
  }
  storePosition(journal, 'trades.from', new Date(latest).toISOString());
  await pollMovements('withdrawals', poll, (withdrawal) => {
    const no = journal.note(noteOfWithdrawal(withdrawal.id));
    if (no !== undefined) return mapPayout(withdrawal, no);
    if (isFinal(withdrawal) && !isTransfer(withdrawal)) reportUnreviewed(withdrawal, poll);
    return [];
  });
}

/** Reads from the oldest row that is not final on, or from the last one. */
async function pollMovements(
  list: MovementList,
  poll: Poll,
  map: (row: Movement) => Promise<PlatformEvent[]> | PlatformEvent[],
): Promise<void> {
  const { api, journal } = poll;
  const position = `${list}.from`;
  const from = journal.note(position) ?? new Date(0).toISOString();
  let [oldestOpen, latest] = [Number.POSITIVE_INFINITY, Date.parse(from)];
  for await (const row of api.listMovements(list, { start_date: from })) {
    const createdAt = timeOf(row.created_at);
    latest = Math.max(latest, createdAt - OVERLAP_MS);
    if (!isFinal(row)) oldestOpen = Math.min(oldestOpen, createdAt);
    journal.add(await map(row));
  }
  storePosition(journal, position, new Date(Math.min(oldestOpen, latest)).toISOString());
}

function storePosition(journal: Journal, key: string, position: string): void {
  if (journal.note(key) !== position) journal.add([], { [key]: position });
}

async function findCounterpart({ transaction_id }: Movement, api: ExchangeApi): Promise<Movement | undefined> {
  if (transaction_id === null) return undefined;
  for await (const one of api.listMovements('withdrawals', { transaction_id })) return one;
  return undefined;
}

function reportUnreviewed({ id, user_id, currency, amount }: Movement, { journal, log }: Poll): void {
  const key = `unreviewed:${id}`;
  if (journal.note(key) !== undefined) return;
  log(`withdrawal ${id} of user ${user_id} (${amount} ${currency}) went past the back office`);
  journal.add([], { [key]: '1' });
}

function describeOnFailure({ log }: Poll, map: () => PlatformEvent[]): PlatformEvent[] {
  try {
    return map();
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return [];
  }
}
