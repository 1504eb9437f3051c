import { Decimal } from '@hengtai/contract/values/decimal';
import { ENTRY } from '@hengtai/contract/values/money';
import { networkKey } from '@hengtai/contract/values/network';
import type { AccountName } from '../books/ledger/account.ts';
import { type Leg, leg } from '../books/ledger/post.ts';
import type { EventCtx } from './event-batch.ts';
import { findMarket } from './lookup.store.ts';
import { addPendingFee, insertDifference, insertFee } from './chain-fee.store.ts';

/** What a chain took for a transaction, as an event states it. */
export interface StatedFee {
  network: string;
  txHash: string;
  /** Name of the coin of the fee. */
  market: string;
  /** Decimal string; below zero: given back by a later move. */
  amount: string;
  /** The record that states it. */
  by: { moveId: number } | { withdrawId: number };
  /** Which rows of the accounts of the house change. */
  stripe: number;
}

/**
 * Posts the fee of a transaction the first time that it is stated. A different statement is kept and changes nothing, and so
 * is a fee in a coin that the platform does not have.
 */
export async function bookFee(
  ctx: EventCtx,
  { network, txHash, market, amount, by, stripe }: StatedFee,
): Promise<void> {
  if (new Decimal(amount).isZero()) return;
  const { batch, db, at, now } = ctx;
  const coin = await findMarket(batch, market);
  const marketId = coin && !coin.isPair ? coin.id : null;
  const fee = {
    platformId: batch.scope.id,
    networkKey: networkKey(network),
    txHash,
    market,
    marketId,
    amount,
    ...by,
    at,
    now,
  };
  const id = await insertFee(db, fee);
  if (id === undefined) await insertDifference(db, fee);
  else if (marketId !== null) {
    await addPendingFee(db, id, now);
    await batch.post({ refType: 'chainFee', refId: id, at, now }, [feeLeg(marketId, amount, stripe)]);
  }
}

function feeLeg(marketId: number, amount: string, stripe: number): Leg {
  const chainFee: AccountName = { house: 'chainFee', stripe, marketId };
  const custody: AccountName = { house: 'custody', stripe, marketId };
  const isTaken = new Decimal(amount).isPositive();
  const [from, to] = isTaken ? [chainFee, custody] : [custody, chainFee];
  return leg(from, to, new Decimal(amount).abs().toFixed(), ENTRY.chainFee);
}
