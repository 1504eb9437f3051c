import { deleteOldNonces } from '../../../gateway/gateway-key.store.ts';
import type { Module } from '../../module.ts';
import { gatewayKeyIssue, gatewayKeyRevoke, gatewayKeySave, readGatewayKeys } from './gateway-key.service.ts';
import { gatewayPlatformSave } from './platform.service.ts';

export const gatewayKeyModule = {
  routes: {
    list: readGatewayKeys,
    save: gatewayKeySave,
    issue: gatewayKeyIssue,
    revoke: gatewayKeyRevoke,
    platformSave: gatewayPlatformSave,
  },
  jobs: [
    {
      name: 'sweep-nonces',
      everyMs: 60_000,
      run: async ({ system, clock }) => {
        await deleteOldNonces(system, clock.now());
        return false;
      },
    },
  ],
} satisfies Module<'gatewayKey'>;
