import { ANNOUNCEMENTS_MAX } from '@hengtai/contract/gateway';
import { AnnouncementsQuery } from '@hengtai/contract/gateway.schema';
import { platformCall } from '../../gateway/handlers.ts';
import type { Module } from '../module.ts';
import { announceAdd, announceDel, announceDetail, announceSave } from './announce.service.ts';
import { listAnnounces, publishedAnnounces } from './announce.store.ts';

export const announceModule = {
  routes: {
    list: listAnnounces,
    detail: announceDetail,
    add: announceAdd,
    save: announceSave,
    del: announceDel,
  },
  platformCalls: [
    platformCall('GET', '/announcements', AnnouncementsQuery, (app, query) =>
      publishedAnnounces(app.system, query, ANNOUNCEMENTS_MAX),
    ),
  ],
} satisfies Module<'announce'>;
