import { ABILITY } from '@hengtai/contract/authority/ability';
import { isOnChain } from '@hengtai/contract/funds/house/calls';
import type { HouseTransfer } from '@hengtai/contract/funds/house/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { Decimal } from '@hengtai/contract/values/decimal';
import { ENTRY, canonical } from '@hengtai/contract/values/money';
import { type Ctx, can } from '../../../app/context.ts';
import { type Refused, refuse } from '../../../app/refuse.ts';
import { requireHouse } from '../../../authority/authority.ts';
import type { AccountName } from '../../../books/ledger/account.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/** @throws Refused 403 without full scope, or with neither 资产调整 nor 审计查看 */
export function requireHouseReader(ctx: Pick<Ctx, 'scope' | 'operator'>): void {
  requireHouse(ctx);
  if (![ABILITY.assets, ABILITY.audit].some((ability) => can(ctx.operator, ability))) throw refuse(refusals.forbidden);
}

type Places = Pick<HouseTransfer, 'from' | 'to' | 'txHash'>;

/**
 * What leaves or enters custody was paid on a chain, and belongs to the owner.
 *
 * @throws Refused 422 for accounts that do not go together, or without the hash
 */
export function requirePlaces({ from, to }: Places): void {
  if (from === to) throw refusePlace('to', '转出账户与转入账户不能相同');
  if (isOnChain({ from, to }) && from !== 'capital' && to !== 'capital')
    throw refusePlace('to', '托管只能与自有资金互转');
}

/** @throws Refused 422 as `requirePlaces`, and without the hash of what was paid in or out */
export function requireTransfer(input: Places): void {
  requirePlaces(input);
  if (isOnChain(input) && input.txHash === undefined)
    throw refusePlace('txHash', '与托管互转须填写链上收付款的交易哈希');
}

const refusePlace = (field: string, msg: string): Refused => refuse(refusals.invalid, msg, [{ field, msg }]);

/** The owner's capital must cover what is taken from it. @throws Refused 409 with what it has */
export function requireCapital(
  from: HouseTransfer['from'],
  amount: string,
  { balance, marketName }: { balance: string; marketName: string },
): void {
  if (from !== 'capital' || new Decimal(balance).gte(amount)) return;
  const available = canonical(balance);
  throw refuse(refusals.capitalShort, `${refusals.capitalShort.msg}，现有 ${available} ${marketName}`, { available });
}

/** People move money of the house on the first stripe, so that one lock decides whether capital suffices. */
export const placeOf = (house: HouseTransfer['from'], marketId: number): AccountName => ({
  house,
  stripe: 0,
  marketId,
});

export const transferLeg = ({ marketId, from, to, amount }: Omit<HouseTransfer, 'reason'>): Leg =>
  leg(placeOf(from, marketId), placeOf(to, marketId), amount, ENTRY.houseTransfer);
