import type { Module } from '../../module.ts';
import { transferEvents } from './internal-transfer.events.ts';
import { listTransfers, lastTransfers } from './internal-transfer.store.ts';

export const internalTransferModule = {
  routes: {
    list: listTransfers,
  },
  events: transferEvents,
  // Visible to the scope of the sender and of the receiver.
  search: { type: 'internalTransfer', table: 'internal_transfer', secondAgent: 'x.to_agent_id' },
  userTables: [
    { table: 'internal_transfer' },
    { table: 'internal_transfer', user: 'to_user_id', agent: 'to_agent_id' },
  ],
  lastOfUser: { transfers: lastTransfers },
} satisfies Module<'internalTransfer'>;
