import { MOVE_REVERTED, WALLET_TRANSFER, openTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import { walletTransfer as calls } from '@hengtai/contract/funds/wallet-transfer/calls';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import type { WalletKind } from '@hengtai/contract/funds/wallet/facts';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway/gateway';
import { type RawBuilder, sql } from 'kysely';
import { notificationStepsInsert } from '../../../actions/notification.store.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { literals } from '../../../database/literals.ts';
import { requireHouseReader } from '../house/house.rules.ts';

/** The number of a transfer at the platform. */
export const transferNumber = (id: number): string => `T${id}`;

const nameOf = (wallet: string): RawBuilder<string> => sql<string>`
  coalesce(nullif(${sql.ref(`${wallet}.name`)}, ''), ${sql.ref(`${wallet}.no`)})`;

const transfers: ListSource = {
  fields: sql`
    t.id, 'T' || t.id as no, t.state, t.platform_id as "platformId", p.name as "platformName", f.market_id as "marketId",
    m.market_name as "marketName", f.network, t.from_id as "fromId", ${nameOf('f')} as "fromWallet", f.kind as "fromKind",
    t.to_id as "toId", ${nameOf('w')} as "toWallet", w.kind as "toKind", t.amount, o.tx_hash as "outHash",
    i.tx_hash as "inHash", t.reason, t.answer, t.by_account as by, t.second_by as "secondBy", t.resolved_by as "resolvedBy",
    t.created_at as "createdAt", t.updated_at as "updatedAt"`,
  from: sql`wallet_transfer t
    join wallet f on f.id = t.from_id
    join wallet w on w.id = t.to_id
    join market m on m.id = f.market_id
    join platform p on p.id = t.platform_id
    left join chain_move o on o.id = t.out_move_id
    left join chain_move i on i.id = t.in_move_id`,
  id: 't.id',
  createdAt: 't.created_at',
  filters: {
    state: 't.state',
    marketId: 'f.market_id',
    id: 't.id',
    fromId: 't.from_id',
    toId: 't.to_id',
    platformId: 't.platform_id',
  },
  amount: sql`t.amount`,
};

export const listTransfers = defineList(calls.list, (ctx) => {
  requireHouseReader(ctx);
  return transfers;
});

/** The caller has full scope. */
export async function findTransfer(db: Db, id: number): Promise<WalletTransferRow | undefined> {
  const { rows } = await sql<WalletTransferRow>`${prepared}
    select ${transfers.fields} from ${transfers.from} where t.id = ${id}`.execute(db);
  return rows[0];
}

/** A wallet as a transfer needs it. */
export interface TransferWallet {
  id: number;
  /** The platform's own id. */
  no: string;
  name: string;
  kind: WalletKind;
  platformId: number;
  platformName: string;
  marketId: number;
  marketName: string;
  network: string;
  /** The text by which networks are compared. */
  networkKey: string;
  address: string;
  memo: string;
  state: number;
  /** When the platform first reported it, unix milliseconds. */
  knownSince: number;
  /** The latest reading, a decimal string, and its time; null without one. */
  balance: string | null;
  readAt: number | null;
  /** What open transfers take from it of which no move was reported. */
  reserved: string;
}

/** Locks wallets in one order, so that requests at the same time see the transfers of each other. */
export async function lockWallets(db: Db, ids: readonly number[]): Promise<void> {
  await sql`${prepared}select 1 from wallet where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(
    db,
  );
}

/** Wallets that exist, by id. */
export async function fetchWallets(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, TransferWallet>> {
  const { rows } = await sql<TransferWallet>`${prepared}
    select w.id, w.no, ${nameOf('w')} as name, w.kind, w.platform_id as "platformId", p.name as "platformName",
      w.market_id as "marketId", m.market_name as "marketName", w.network, w.network_key as "networkKey", w.address, w.memo,
      w.state, w.recorded_at as "knownSince", r.amount as balance, r.created_at as "readAt",
      coalesce((select sum(t.amount) from wallet_transfer t where t.from_id = w.id and t.out_move_id is null
        and t.state in (${literals(...openTransferStates)})), 0) as reserved
    from wallet w join platform p on p.id = w.platform_id join market m on m.id = w.market_id
    left join lateral (select x.amount, x.created_at from wallet_reading x where x.wallet_id = w.id
      order by x.created_at desc, x.id desc limit 1) r on true
    where w.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((wallet) => [wallet.id, wallet]));
}

export interface TransferValue {
  /** In USDT; null if the coin has no price. */
  valuation: string | null;
  pricedAt: number | null;
  /** Whether a request for a transfer out of the wallet waits for its checker. */
  hasOpenApproval: boolean;
}

export async function findTransferValue(
  db: Db,
  { id, marketId }: Pick<TransferWallet, 'id' | 'marketId'>,
  amount: string,
): Promise<TransferValue> {
  const { rows } = await sql<TransferValue>`
    select value_of(${marketId}::bigint, ${amount}::numeric) as valuation, usdt_price_at(${marketId}::bigint) as "pricedAt",
      exists (select from approval a where a.action = 'walletTransfer.request' and a.target_type = 'wallet'
        and a.target_id = ${id} and a.state = ${sql.lit(APPROVAL.open)}) as "hasOpenApproval"`.execute(db);
  return rows[0] ?? { valuation: null, pricedAt: null, hasOpenApproval: false };
}

export interface NewTransfer {
  platformId: number;
  fromId: number;
  toId: number;
  amount: string;
  reason: string;
  by: string;
  secondBy: string | null;
  now: number;
}

/** What notifications about a transfer need. It belongs to no agent, so only full scope sees them. */
const notified = sql`t.id, null::bigint as user_id, null::bigint as agent_id, null::bigint as operator_id,
  (select w.market_id from wallet w where w.id = t.from_id) as market_id, t.amount, t.state, t.answer as detail,
  t.updated_at as created_at, t.updated_at as recorded_at`;

const { queued, moving, done, failed, unknown, cancelled } = WALLET_TRANSFER;

/** One notification for each transfer that `moved` returns. */
const notifications = notificationStepsInsert([
  { type: 'walletTransfer.queued', state: queued, of: [queued] },
  { type: 'walletTransfer.moving', state: moving, of: [moving] },
  { type: 'walletTransfer.done', state: done, of: [done] },
  { type: 'walletTransfer.failed', state: failed, of: [failed] },
  { type: 'walletTransfer.unknown', state: unknown, of: [unknown] },
  { type: 'walletTransfer.cancelled', state: cancelled, of: [cancelled] },
]);

export async function insertTransfer(db: Db, row: NewTransfer): Promise<number> {
  const { rows } = await sql<{ id: number }>`${prepared}
    with moved as (
      insert into wallet_transfer as t (platform_id, from_id, to_id, amount, reason, by_account, second_by, created_at,
        recorded_at, updated_at)
      values (${row.platformId}, ${row.fromId}, ${row.toId}, ${row.amount}::numeric, ${row.reason}, ${row.by}, ${row.secondBy},
        ${row.now}, ${row.now}, ${row.now})
      returning ${notified}
    ),
    notification as (${notifications})
    select id from moved`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The insert of a wallet transfer returned no row.');
  return id;
}

export interface TransferChange {
  from: readonly number[];
  to: number;
  answer: string;
  /** Who cancelled or resolved it; absent if the wallet did. */
  resolvedBy?: string;
  now: number;
}

/** Changes the state of a transfer; false if it is none of `from`. */
export async function moveTransfer(db: Db, id: number, change: TransferChange): Promise<boolean> {
  const { from, to, answer, resolvedBy = null, now } = change;
  const { rows } = await sql`${prepared}
    with moved as (
      update wallet_transfer t set state = ${to}, answer = ${answer}, resolved_by = coalesce(${resolvedBy}, t.resolved_by),
        updated_at = ${now}
      where t.id = ${id} and t.state = any(${[...from]}::int[]) returning ${notified}
    ),
    notification as (${notifications})
    select id from moved`.execute(db);
  return rows.length === 1;
}

/** A move on a chain between wallets, as the platform reported it. */
export interface ReportedMove {
  id: number;
  platformId: number;
  walletId: number;
  /** Signed decimal string. */
  amount: string;
  txHash: string;
  at: number;
}

const sideOf = ({ amount }: Pick<ReportedMove, 'amount'>) =>
  amount.startsWith('-')
    ? { wallet: sql`t.from_id`, move: 'out_move_id', other: 'in_move_id' }
    : { wallet: sql`t.to_id`, move: 'in_move_id', other: 'out_move_id' };

/**
 * The transfer that lacks a move of exactly this wallet and amount: the one with this id, if the platform names it, else the
 * oldest open one, before others one whose other move has the same hash.
 *
 * @param named the id that the platform names; undefined if it names none
 */
export async function findTransferOf(
  db: Db,
  move: ReportedMove,
  named: number | undefined,
): Promise<number | undefined> {
  const side = sideOf(move);
  const isMeant =
    named === undefined
      ? sql`t.state in (${literals(...openTransferStates)}) and t.created_at <= ${move.at + EVENT_AHEAD_MS}`
      : sql`t.id = ${named} and t.state <> ${sql.lit(cancelled)}`;
  const { rows } = await sql<{ id: number }>`${prepared}
    select t.id from wallet_transfer t left join chain_move o on o.id = t.${sql.ref(side.other)}
    where t.platform_id = ${move.platformId} and ${side.wallet} = ${move.walletId} and t.amount = abs(${move.amount}::numeric)
      and t.${sql.ref(side.move)} is null and ${isMeant}
    order by o.tx_hash is not distinct from ${move.txHash} desc, t.id limit 1`.execute(db);
  return rows[0]?.id;
}

/** Gives a transfer its move. With both it is done, with one it is under way. False if it has this one or was cancelled. */
export async function addMove(db: Db, id: number, move: ReportedMove, now: number): Promise<boolean> {
  const side = sideOf(move);
  const { rows } = await sql`${prepared}
    with changed as (
      update wallet_transfer t set ${sql.ref(side.move)} = ${move.id}, updated_at = ${now},
        state = case when t.${sql.ref(side.other)} is not null or t.state = ${sql.lit(done)} then ${sql.lit(done)} else ${sql.lit(moving)} end
      from wallet_transfer before
      where t.id = ${id} and before.id = t.id and t.${sql.ref(side.move)} is null and t.state <> ${sql.lit(cancelled)}
      returning ${notified}, before.state as was
    ),
    moved as (select * from changed where state <> was),
    notification as (${notifications})
    select id from changed`.execute(db);
  return rows.length === 1;
}

/** Takes a move from its transfer, since it is no longer on the chain. Whether the wallet sends it again, nobody knows. */
export async function removeMove(db: Db, moveId: number, now: number): Promise<void> {
  await sql`${prepared}
    with changed as (
      update wallet_transfer t set out_move_id = nullif(t.out_move_id, ${moveId}), in_move_id = nullif(t.in_move_id, ${moveId}),
        state = case t.state when ${sql.lit(failed)} then t.state else ${sql.lit(unknown)} end, answer = ${MOVE_REVERTED},
        updated_at = ${now}
      from wallet_transfer before
      where before.id = t.id and (t.out_move_id = ${moveId} or t.in_move_id = ${moveId}) returning ${notified}, before.state as was
    ),
    moved as (select * from changed where state <> was),
    notification as (${notifications})
    select 1 from changed`.execute(db);
}
