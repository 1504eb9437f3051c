import type { Module } from '../../module.ts';
import { fillOutbox, sendDue, sweepOutbox } from './channel.jobs.ts';
import { channelDel, channelSave, channelTest, readChannels } from './channel.service.ts';

export const channelModule = {
  routes: { list: readChannels, save: channelSave, test: channelTest, del: channelDel },
  jobs: [
    { name: 'fill-outbox', everyMs: 500, run: fillOutbox },
    { name: 'send-outbox', everyMs: 500, run: sendDue },
    { name: 'sweep-outbox', everyMs: 600_000, run: sweepOutbox },
  ],
} satisfies Module<'channel'>;
