import { dialogOnDemand } from '../../../../ui/page/on-demand.tsx';

/** The dialog that orders a transfer, loaded when it is first opened. */
export const TransferRequestDialog = dialogOnDemand(
  async () => (await import('./TransferRequestDialog.tsx')).TransferRequestDialog,
);
