import type { HandlersOf } from '../../resources.ts';
import { listTransfers } from './internal-transfer.store.ts';

export const internalTransferRoutes: HandlersOf<'internalTransfer'> = { list: listTransfers };
