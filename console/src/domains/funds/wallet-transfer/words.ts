import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { walletTransferActionStates } from '@hengtai/contract/funds/wallet-transfer/calls';
import {
  WALLET_TRANSFER,
  walletTransferActions,
  walletTransferStates,
} from '@hengtai/contract/funds/wallet-transfer/facts';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import type { Tone } from '../../../ui/value/StateTag.tsx';

export type TransferChange = keyof typeof walletTransferActionStates;

export const TRANSFER_CHANGES = Object.keys(walletTransferActionStates) as TransferChange[];

export const transferTones: Readonly<Record<number, Tone>> = {
  [WALLET_TRANSFER.queued]: 'wait',
  [WALLET_TRANSFER.moving]: 'run',
  [WALLET_TRANSFER.done]: 'good',
  [WALLET_TRANSFER.failed]: 'bad',
  [WALLET_TRANSFER.unknown]: 'warn',
};

export const transferStateText = (state: number): string =>
  walletTransferStates[state as keyof typeof walletTransferStates] ?? String(state);

/** The reason why a transfer cannot be cancelled or resolved; undefined if it can. */
export function disabledReasonOf(
  change: TransferChange,
  { state }: Pick<WalletTransferRow, 'state'>,
  hasAbility: boolean,
): string | undefined {
  if (!hasAbility) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  const states: readonly number[] = walletTransferActionStates[change];
  if (states.includes(state)) return undefined;
  const open = states.map(transferStateText).join('、');
  return `当前为「${transferStateText(state)}」，仅「${open}」可${walletTransferActions[change].short}`;
}

const advice: Readonly<Record<number, string>> = {
  [WALLET_TRANSFER.queued]: '等待钱包领取指令。不再需要的，现在可以撤销。',
  [WALLET_TRANSFER.moving]: '钱包正在执行，两笔链上转账都到后自动完成。长时间没有到齐的，在链上核实后确认结果。',
  [WALLET_TRANSFER.done]: '两笔链上转账都已到，或由人确认，无需处理。',
  [WALLET_TRANSFER.failed]: '没有执行。仍然需要的，重新提交调拨。',
  [WALLET_TRANSFER.unknown]: '系统不会再次下发。请先在链上和钱包里核实，再确认结果；之后报告的链上转账仍然有效。',
  [WALLET_TRANSFER.cancelled]: '钱包没有领取过指令，无需处理。',
};

/** What an operator does about a transfer in a state. */
export const adviceFor = (state: number): string => advice[state] ?? '';
