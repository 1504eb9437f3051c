import { refusals } from '@hengtai/contract/wire/refusals';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical } from '@hengtai/contract/values/money';
import { refuse, refuseField } from '../../../app/refuse.ts';
import type { TransferWallet } from './wallet-transfer.store.ts';

/** Both wallets of a transfer. */
export interface WalletPair {
  from: TransferWallet;
  to: TransferWallet;
}

/** @throws Refused 422 for wallets between which nothing can be transferred */
export function requirePair({ from, to }: WalletPair): void {
  if (from.id === to.id) throw refuseField('toId', '不能与转出钱包相同');
  if (from.platformId !== to.platformId) throw refuseField('toId', '不属于转出钱包的交易平台');
  if (from.marketId !== to.marketId) throw refuseField('toId', '不是转出钱包的币种');
  if (from.networkKey !== to.networkKey) throw refuseField('toId', '不在转出钱包的网络上');
}

/** What a wallet has by its last reading, less what open transfers take; null without a reading. */
export const availableOf = ({ balance, reserved }: TransferWallet): string | null =>
  balance === null ? null : new Decimal(balance).minus(reserved).toFixed();

/** @throws Refused 409 if the transfer cannot be ordered now */
export function requirePossible({ from, to, isSigned }: WalletPair & { isSigned: boolean }, amount: string): void {
  if (isSigned) throw refuse(refusals.transferSigned);
  for (const { state, name } of [from, to])
    if (state !== 1) throw refuse(refusals.walletOutOfUse, `${refusals.walletOutOfUse.msg}：${name}`);
  const available = availableOf(from);
  if (available === null) throw refuse(refusals.walletUnread);
  if (new Decimal(available).gte(amount)) return;
  throw refuse(refusals.walletShort, `${refusals.walletShort.msg}，可用 ${canonical(available)} ${from.marketName}`, {
    available,
  });
}
