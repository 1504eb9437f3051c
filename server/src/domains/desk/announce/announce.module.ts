import { ANNOUNCEMENTS_MAX } from '@hengtai/contract/gateway/gateway';
import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { AnnouncementImageQuery, AnnouncementsQuery } from '@hengtai/contract/gateway/schema';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import { publishScheduled, sweepImages } from './announce.jobs.ts';
import { announceAdd, announceDel, announceDetail, announceSave } from './announce.service.ts';
import { listAnnounces, fetchPublishedAnnounces } from './announce.store.ts';
import { announceImage, announceImageAdd, platformImage } from './image.service.ts';

export const announceModule = {
  routes: {
    list: listAnnounces,
    detail: announceDetail,
    add: announceAdd,
    save: announceSave,
    del: announceDel,
    image: announceImage,
    imageAdd: announceImageAdd,
  },
  platformCalls: [
    platformCall(
      {
        method: 'GET',
        path: '/announcements',
        right: 'reads',
        summary: 'Returns published announcements, pinned ones first',
        input: AnnouncementsQuery,
        output: platformReads.announcements,
      },
      (app, query) => fetchPublishedAnnounces(app.system, query, ANNOUNCEMENTS_MAX),
    ),
    platformCall(
      {
        method: 'GET',
        path: '/announcements/image',
        right: 'reads',
        summary: 'Returns an image of an announcement',
        input: AnnouncementImageQuery,
        output: platformReads.announcementImage,
      },
      platformImage,
    ),
  ],
  jobs: [
    { name: 'publish-announcements', everyMs: 1_000, run: publishScheduled },
    { name: 'sweep-announce-images', everyMs: 600_000, run: sweepImages },
  ],
} satisfies Module<'announce'>;
