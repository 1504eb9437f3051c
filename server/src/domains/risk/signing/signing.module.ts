import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { Strict } from '@hengtai/contract/wire/schema';
import { Type } from '@sinclair/typebox';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import { signingPropose } from './proposal.service.ts';
import { signingPayout } from './signing-payout.steps.ts';
import { readOwnSigning, readSigningState, signingAdd, signingClose, signingEnrol } from './signing.service.ts';
import { fetchPlatformRosters } from './signing.steps.ts';
import { readSigningRecord, readSigningTexts } from './texts.service.ts';

export const signingModule = {
  routes: {
    state: readSigningState,
    mine: readOwnSigning,
    texts: readSigningTexts,
    record: readSigningRecord,
    enrol: signingEnrol,
    propose: signingPropose,
    add: signingAdd,
    close: signingClose,
  },
  payout: signingPayout,
  platformCalls: [
    platformCall(
      {
        method: 'GET',
        path: '/rosters',
        right: 'reads',
        summary: 'Returns the signing rosters after a version, in order',
        input: Strict({
          after: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'version that is held' }),
          ),
        }),
        output: platformReads.rosters,
      },
      (app, { after = 0 }) => fetchPlatformRosters(app.system, after),
    ),
  ],
} satisfies Module<'signing'>;
