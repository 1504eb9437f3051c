import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { ENTRY } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT_TOLERANCE } from '@hengtai/contract/trading/binary-contract/calls';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isListed, isFrozen, isLive, mustFindUser } from '../../../gateway/lookup.store.ts';
import { hasMarket } from '../../../gateway/platform-scope.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { findTerms } from './binary-contract-config.store.ts';
import { holdOwner, hasTooManyDecimals, findStakeError, payoutOf } from './binary-contract.rules.ts';
import { findBinaryContractMarket, insertBinaryContract } from './binary-contract.store.ts';

export const binaryContractEvents: EventHandlers<'second.opened'> = { 'second.opened': open };

/** Freezes the stake under the current terms. The event carries no price: both prices come from the recorded ticks. */
async function open({ batch, db, at, now }: EventCtx, data: EventData['second.opened']): Promise<void> {
  const user = await mustFindUser(batch, data.account);
  if (!hasMarket(batch.scope, data.market)) throw reject('unknown', 'market');
  const market = await findBinaryContractMarket(db, data.market, BINARY_CONTRACT_TOLERANCE);
  if (hasTooManyDecimals(data.amount, market.precision)) throw rejectField('amount', 'no more decimals than USDT has');
  if (isFrozen(user)) throw reject('frozen');
  if (user.trade !== 1) throw reject('forbidden');
  if (market.second !== 1 || !isListed(market) || market.id === market.usdtId) throw reject('closed');
  if (market.halted) throw reject('halted');
  const terms = await findTerms(db, market.id, data.seconds);
  if (!terms) throw reject('unknown', 'seconds');
  if (terms.state !== 1) throw reject('closed');
  const stakeError = findStakeError(data.amount, terms);
  if (stakeError) throw reject(stakeError);
  // A live platform must not open a contract whose closing tick is recorded; an import of history contains such contracts.
  const isDecided = (market.priceAt ?? 0) >= at + data.seconds * 1000;
  if (isDecided && (await isLive(batch))) throw reject('decided');
  const payoutRate = user.winType === 1 ? (user.winRate ?? terms.payoutRate) : terms.payoutRate;
  const payout = payoutOf(data.amount, payoutRate, market.precision);
  const row = {
    no: data.no,
    userId: user.id,
    agentId: user.agentId,
    marketId: market.id,
    side: data.side,
    seconds: data.seconds,
    amount: data.amount,
    payoutRate,
    tier: user.winType,
    payout,
    configId: terms.id,
    configVersion: terms.version,
    tolerance: Number(market.tolerance) * 1000,
    createdAt: at,
    now,
  };
  const id = await insertBinaryContract(db, row);
  if (id === undefined) throw reject('exists');
  const head = { refType: 'second', refId: id, at, now };
  await batch.freeze(head, holdOwner({ ...row, usdtId: market.usdtId }), data.amount, ENTRY.secondOpen);
}
