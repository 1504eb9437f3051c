import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { FOLLOW } from '@hengtai/contract/trading/follow/facts';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { LEDGER_ENTRY_CHECK } from '@hengtai/contract/funds/ledger-entry/facts';
import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { SPOT } from '@hengtai/contract/trading/spot/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { TRANSFER } from '@hengtai/contract/funds/internal-transfer/facts';
import type { Tone } from '../ui/value/StateTag.tsx';

/** The tone of each state; a state without one is idle. */
type Tones = Readonly<Record<number, Tone>>;

export const rechargeTones: Tones = {
  [RECHARGE.waiting]: 'wait',
  [RECHARGE.credited]: 'good',
  [RECHARGE.held]: 'warn',
  [RECHARGE.reversed]: 'bad',
};
export const withdrawTones: Tones = {
  [WITHDRAW.review]: 'wait',
  [WITHDRAW.second]: 'wait',
  [WITHDRAW.queued]: 'run',
  [WITHDRAW.paying]: 'run',
  [WITHDRAW.paid]: 'good',
  [WITHDRAW.failed]: 'bad',
  [WITHDRAW.unknown]: 'warn',
};
export const ieoTones: Tones = { [IEO.waiting]: 'wait', [IEO.passed]: 'good' };
export const ledgerEntryTones: Tones = { [LEDGER_ENTRY_CHECK.checked]: 'good', [LEDGER_ENTRY_CHECK.doubtful]: 'warn' };
export const transferTones: Tones = { [TRANSFER.done]: 'good', [TRANSFER.failed]: 'bad' };
export const binaryContractTones: Tones = { [BINARY_CONTRACT.open]: 'run', [BINARY_CONTRACT.settled]: 'good' };
export const futureTones: Tones = {
  [FUTURE.pending]: 'wait',
  [FUTURE.open]: 'run',
  [FUTURE.closed]: 'good',
  [FUTURE.liquidated]: 'bad',
  [FUTURE.cancelling]: 'warn',
  [FUTURE.closing]: 'warn',
};
export const followTones: Tones = { [FOLLOW.running]: 'run', [FOLLOW.ending]: 'warn' };
export const spotTones: Tones = {
  [SPOT.open]: 'wait',
  [SPOT.partial]: 'run',
  [SPOT.filled]: 'good',
  [SPOT.cancelling]: 'warn',
};
