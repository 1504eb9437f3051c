import type { HouseTransfer, HouseTransferred } from '@hengtai/contract/funds/house/schema';
import { canonical } from '@hengtai/contract/values/money';
import { refusals } from '@hengtai/contract/wire/refusals';
import { refuse } from '../../../app/refuse.ts';
import { keyOf } from '../../../books/ledger/account.ts';
import { lockAccounts } from '../../../books/ledger/lock-accounts.ts';
import { post } from '../../../books/ledger/post.ts';
import { type Db, sqlState } from '../../../database/connect.ts';
import { placeOf, requireCapital, transferLeg } from './house.rules.ts';
import { type TransferTarget, insertHouseTransfer } from './house.store.ts';

/** SQLSTATE numeric_value_out_of_range. */
const OVERFLOW = '22003';

interface Doer {
  /** Null for the first data of an installation. */
  operatorId: number | null;
  checkerId: number | null;
  now: number;
}

/**
 * Moves money between accounts of the house.
 *
 * @throws Refused 409 if the owner's capital does not suffice, 422 for an amount beyond what an account can hold
 */
export async function transferHouseMoney(
  db: Db,
  { reason, txHash = null, ...input }: Omit<HouseTransfer, 'txHash'> & { txHash?: string | null | undefined },
  { marketName }: Pick<TransferTarget, 'marketName'>,
  doer: Doer,
): Promise<HouseTransferred> {
  const { marketId, from, to, amount } = input;
  const keys = [from, to].map((house) => keyOf(placeOf(house, marketId)));
  const locked = await lockAccounts(db, keys, doer.now);
  // Capital has one stripe only, so the locked row is all of it.
  const balance = locked.find(({ owner }) => owner === from)?.balance ?? '0';
  requireCapital(from, amount, { balance, marketName });
  const id = await insertHouseTransfer(db, { ...input, reason, txHash, ...doer });
  const head = { refType: 'houseTransfer', refId: id, at: doer.now, now: doer.now, remark: reason };
  try {
    await post(db, { ...head, operatorId: doer.operatorId }, [transferLeg(input)]);
  } catch (error) {
    if (sqlState(error) === OVERFLOW) throw refuse(refusals.invalid, '数量超出账户可记录的范围');
    throw error;
  }
  return { id, marketId, marketName, from, to, amount: canonical(amount), txHash };
}

/** What the audit row says of a transfer. */
export const auditedTransfer = ({ id: transferId, marketId: _marketId, ...data }: HouseTransferred) => ({
  ...data,
  transferId,
});
