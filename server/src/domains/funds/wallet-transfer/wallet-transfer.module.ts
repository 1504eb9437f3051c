import type { Module } from '../../module.ts';
import {
  previewTransfer,
  walletTransferCancel,
  walletTransferRequest,
  walletTransferResolve,
} from './wallet-transfer.service.ts';
import { answerMove } from './wallet-transfer.steps.ts';
import { walletTransferWaiting } from './wallet-transfer-waiting.store.ts';
import { listTransfers } from './wallet-transfer.store.ts';

export const walletTransferModule = {
  routes: {
    list: listTransfers,
    preview: previewTransfer,
    request: walletTransferRequest,
    cancel: walletTransferCancel,
    resolve: walletTransferResolve,
  },
  waiting: walletTransferWaiting,
  answers: { 'wallet.move.requested': answerMove },
} satisfies Module<'walletTransfer'>;
