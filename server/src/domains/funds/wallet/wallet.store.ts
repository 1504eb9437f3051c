import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { sql } from 'kysely';
import type { DestinationKeys } from '../../../destination/keys.ts';
import { type Db, prepared } from '../../../database/connect.ts';

/** The keys of an address; absent without one. */
export type AddressKeys = Pick<DestinationKeys, 'accountKey' | 'memoKey' | 'accountRules'>;

/** What never changes of a wallet. */
export interface WalletPlace {
  kind: EventData['wallet.saved']['kind'];
  marketId: number;
  /** The text by which networks are compared. */
  networkKey: string;
  address: string;
  memo: string;
  accountKey: string | null;
  memoKey: string | null;
}

export interface StoredWallet extends WalletPlace {
  id: number;
  marketName: string;
  network: string;
  /** When it was first saved, unix milliseconds. */
  createdAt: number;
}

/** The wallet of a platform by the platform's own id. */
export async function findWallet(db: Db, platformId: number, no: string): Promise<StoredWallet | undefined> {
  const { rows } = await sql<StoredWallet>`${prepared}
    select w.id, w.kind, w.market_id as "marketId", m.market_name as "marketName", w.network, w.network_key as "networkKey",
      w.address, w.memo, w.account_key as "accountKey", w.memo_key as "memoKey", w.created_at as "createdAt"
    from wallet w join market m on m.id = w.market_id where w.platform_id = ${platformId} and w.no = ${no}`.execute(db);
  return rows[0];
}

interface Times {
  at: number;
  now: number;
}

export interface NewWallet extends WalletPlace, Times {
  platformId: number;
  no: string;
  network: string;
  accountRules: number | null;
  name: string;
  state: number;
}

/** False if the platform has a wallet of this id. */
export async function insertWallet(db: Db, wallet: NewWallet): Promise<boolean> {
  const { platformId, no, kind, marketId, network, networkKey, address, memo, name, state, at, now } = wallet;
  const { rows } = await sql`${prepared}
    insert into wallet (platform_id, no, kind, market_id, network, network_key, address, memo, account_key, memo_key,
      account_rules, name, state, created_at, recorded_at, saved_at)
    values (${platformId}, ${no}, ${kind}, ${marketId}, ${network}, ${networkKey}, ${address}, ${memo}, ${wallet.accountKey},
      ${wallet.memoKey}, ${wallet.accountRules}, ${name}, ${state}, ${at}, ${now}, ${at})
    on conflict (platform_id, no) do nothing returning 1`.execute(db);
  return rows.length === 1;
}

/** Sets the state, and the name if one is given, unless a later event has set them. */
export async function updateWallet(
  db: Db,
  { id, name, state, at }: { id: number; name: string | undefined; state: number; at: number },
): Promise<void> {
  await sql`${prepared}
    update wallet set name = coalesce(${name ?? null}, name), state = ${state}, saved_at = ${at}
    where id = ${id} and saved_at <= ${at}`.execute(db);
}

export async function insertReading(
  db: Db,
  { walletId, amount, block, at, now }: Times & { walletId: number; amount: string; block: number | undefined },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into wallet_reading (wallet_id, amount, block, created_at, recorded_at)
    values (${walletId}, ${amount}, ${block ?? null}, ${at}, ${now}) returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The insert of a reading returned no row.');
  return id;
}

export type NewMove = EventData['chain.moved'] &
  Times & {
    platformId: number;
    /** The key of the gateway, 0 for a key of the environment. */
    keyId: number;
    walletId: number;
    /** Of where the money arrived; absent without an address. */
    keys: AddressKeys | undefined;
  };

/** The id of the new row; undefined if the platform has reported a move of this number. */
export async function insertMove(db: Db, move: NewMove): Promise<number | undefined> {
  const { platformId, no, walletId, kind, amount, txHash, index, address, memo, keys, record, attempt } = move;
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into chain_move (platform_id, no, wallet_id, kind, amount, tx_hash, tx_index, address, memo, account_key, memo_key,
      account_rules, fee, fee_market, record, attempt, block, key_id, created_at, recorded_at)
    values (${platformId}, ${no}, ${walletId}, ${kind}, ${amount}, ${txHash}, ${index ?? null}, ${address ?? ''},
      ${memo ?? ''}, ${keys?.accountKey ?? null}, ${keys?.memoKey ?? null}, ${keys?.accountRules ?? null},
      ${move.fee ?? null}, ${move.feeMarket ?? null}, ${record ?? null}, ${attempt ?? null}, ${move.block ?? null}, ${move.keyId},
      ${move.at}, ${move.now})
    on conflict (platform_id, no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** The id of a move of a platform by its number. */
export async function findMove(db: Db, platformId: number, no: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from chain_move where platform_id = ${platformId} and no = ${no}`.execute(db);
  return rows[0]?.id;
}

/** False if the move is reverted already. */
export async function insertRevert(db: Db, moveId: number, { at, now }: Times): Promise<boolean> {
  const { rows } = await sql`${prepared}
    insert into chain_revert (move_id, created_at, recorded_at) values (${moveId}, ${at}, ${now})
    on conflict (move_id) do nothing returning 1`.execute(db);
  return rows.length === 1;
}
