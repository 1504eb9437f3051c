import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/** A wallet in use with its last reading. */
export interface WalletHolding {
  platformId: number;
  marketName: string;
  network: string;
  networkKey: string;
  /** The platform's own id. */
  wallet: string;
  /** Empty without one, with null keys. */
  address: string;
  memo: string;
  accountKey: string | null;
  memoKey: string | null;
  amount: string;
  block: number | null;
  /** Time of the reading, unix milliseconds. */
  readAt: number;
}

/** The wallets in use of all platforms, each with its last reading until a moment; those without a reading are left out. */
export async function fetchHoldings(db: Db, at: number): Promise<WalletHolding[]> {
  const { rows } = await sql<WalletHolding>`
    select w.platform_id as "platformId", m.market_name as "marketName", w.network, w.network_key as "networkKey",
      w.no as wallet, w.address, w.memo, w.account_key as "accountKey", w.memo_key as "memoKey", r.amount, r.block,
      r.created_at as "readAt"
    from wallet w join market m on m.id = w.market_id
    cross join lateral (
      select amount, block, created_at from wallet_reading
      where wallet_id = w.id and created_at <= ${at} order by created_at desc, id desc limit 1
    ) r
    where w.state = 1 order by m.sort, m.id, w.network_key, w.platform_id, w.no`.execute(db);
  return rows;
}
