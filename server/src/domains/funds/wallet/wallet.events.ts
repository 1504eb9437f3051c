import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { networkKey } from '@hengtai/contract/values/network';
import { type ListedNetworks, cleanDestination, makeKeys } from '../../../destination/keys.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { findNetwork, mustFindCoin, takeNetworks } from '../../../gateway/lookup.store.ts';
import { keyIdOf } from '../../../gateway/platform-scope.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { bookFee } from '../../../gateway/chain-fee.ts';
import { joinTransfer, leaveTransfer } from '../wallet-transfer/wallet-transfer.steps.ts';
import { revertItem } from './item.store.ts';
import { endMatch, openMove } from './match.store.ts';
import { addPending } from './pending.store.ts';
import {
  type AddressKeys,
  type StoredWallet,
  type WalletPlace,
  findMove,
  findWallet,
  insertMove,
  insertReading,
  insertRevert,
  insertWallet,
  updateWallet,
} from './wallet.store.ts';

type WalletEvent = 'wallet.saved' | 'wallet.balance' | 'chain.moved' | 'chain.reverted';

export const walletEvents: EventHandlers<WalletEvent> = {
  'wallet.saved': saveWallet,

  'wallet.balance': async (ctx, { wallet: no, amount, block }) => {
    const { id: walletId } = await mustFindWallet(ctx, no);
    const refId = await insertReading(ctx.db, { walletId, amount, block, at: ctx.at, now: ctx.now });
    await addPending(ctx.db, { kind: 'reading', refId }, ctx.now);
  },

  'chain.moved': moveOnChain,

  'chain.reverted': async ({ db, batch, at, now }, { no }) => {
    const id = await findMove(db, batch.scope.id, no);
    if (id === undefined) throw reject('unknown', 'no');
    if (!(await insertRevert(db, id, { at, now }))) throw reject('state');
    await endMatch(db, id, now);
    await leaveTransfer(db, id, now);
    await revertItem(db, id);
    await addPending(db, { kind: 'revert', refId: id }, now);
  },
};

async function mustFindWallet({ batch, db }: EventCtx, no: string): Promise<StoredWallet> {
  const platformId = batch.scope.id;
  const wallet = await batch.once(`wallet ${no}`, () => findWallet(db, platformId, no));
  if (!wallet) throw reject('unknown', 'wallet');
  return wallet;
}

async function saveWallet(ctx: EventCtx, data: EventData['wallet.saved']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const { wallet: no, kind, network, name, state } = data;
  const { address, memo } = cleanAddress(data);
  const market = await mustFindCoin(batch, data.market);
  const keys = keysOf(await takeNetworks(batch, market), { network, address, memo }) ?? NO_KEYS;
  const place = { kind, marketId: market.id, networkKey: networkKey(network), address, memo, ...keys };
  const platformId = batch.scope.id;
  let saved = await findWallet(db, platformId, no);
  if (!saved) {
    if (market.networks.length > 0 && !findNetwork(market, network)) throw reject('unknown', 'network');
    if (await insertWallet(db, { ...place, platformId, no, network, name: name ?? '', state, at, now })) return;
    saved = await mustFindWallet(ctx, no);
  }
  requireSame(saved, place);
  await updateWallet(db, { id: saved.id, name, state, at });
}

/** A wallet may have no address; a memo without one means nothing. */
const cleanAddress = ({ address, memo = '' }: Pick<EventData['wallet.saved'], 'address' | 'memo'>) =>
  address === undefined ? { address: '', memo: '' } : cleanDestination({ address, memo }, rejectField);

const NO_KEYS = { accountKey: null, memoKey: null, accountRules: null };

const keysOf = (
  listed: ListedNetworks,
  { network, address, memo }: { network: string; address: string; memo: string },
): AddressKeys | undefined => (address === '' ? undefined : makeKeys(listed, { network, address, memo }));

/** @throws Rejected for what never changes. Another spelling of the same network or account is no change. */
function requireSame(saved: WalletPlace, place: WalletPlace): void {
  const isSame = {
    market: saved.marketId === place.marketId,
    kind: saved.kind === place.kind,
    network: saved.networkKey === place.networkKey,
    address: saved.address === place.address || saved.accountKey === place.accountKey,
    memo: saved.memo === place.memo || saved.memoKey === place.memoKey,
  };
  const [changed] = Object.entries(isSame).flatMap(([field, same]) => (same ? [] : [field]));
  if (changed !== undefined) throw rejectField(changed, 'what the wallet was first saved with');
}

async function moveOnChain(ctx: EventCtx, data: EventData['chain.moved']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const wallet = await mustFindWallet(ctx, data.wallet);
  requirePlausible(data);
  const { network, marketName } = wallet;
  const isIn = new Decimal(data.amount).isPositive();
  const { kind, amount, txHash, memo = '', fee = '0', feeMarket = marketName } = data;
  const address = isIn ? wallet.address : (data.address ?? '');
  const arrivedAt = { network, address, memo: isIn && memo === '' ? wallet.memo : memo };
  const keys = keysOf(await takeNetworks(batch, { id: wallet.marketId }), arrivedAt);
  const from = { platformId: batch.scope.id, keyId: keyIdOf(batch.scope) };
  const moveId = await insertMove(db, { ...data, ...from, walletId: wallet.id, keys, at, now });
  if (moveId === undefined) throw reject('exists');
  await addPending(db, { kind: 'move', refId: moveId }, now);
  // What moved before the wallet was saved is kept and not judged.
  if (kind !== 'fee' && at >= wallet.createdAt) await openMove(db, moveId, now);
  const stated =
    kind === 'fee'
      ? { market: marketName, amount: new Decimal(amount).negated().toFixed() }
      : { market: feeMarket, amount: fee };
  await bookFee(ctx, { network, txHash, ...stated, by: { moveId }, stripe: wallet.id });
  await joinTransfer(ctx, { ...data, id: moveId, walletId: wallet.id });
}

/** @throws Rejected for an amount or a fee that contradicts the kind of the move */
function requirePlausible({ kind, amount, fee }: EventData['chain.moved']): void {
  const isIn = new Decimal(amount).isPositive();
  if (kind === 'deposit' && !isIn) throw rejectField('amount', 'a deposit above zero');
  if (kind === 'payout' && isIn) throw rejectField('amount', 'a payout below zero');
  if (kind === 'fee' && fee !== undefined) throw rejectField('fee', 'no fee of a fee');
}
