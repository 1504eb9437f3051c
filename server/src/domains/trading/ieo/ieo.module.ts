import type { Module } from '../../module.ts';
import { ieoDetail } from './ieo-detail.service.ts';
import { ieoEvents } from './ieo.events.ts';
import { ieoPass, ieoReject } from './ieo.service.ts';
import { openIeos, listIeos, lastIeos } from './ieo.store.ts';
import { ieoWaiting } from './ieo-waiting.store.ts';

export const ieoModule = {
  routes: {
    list: listIeos,
    detail: ieoDetail,
    pass: ieoPass,
    reject: ieoReject,
    passMany: { each: ieoPass },
    rejectMany: { each: ieoReject },
  },
  events: ieoEvents,
  search: { type: 'ieo', table: 'ieo' },
  openItems: openIeos,
  userTables: [{ table: 'ieo' }],
  waiting: ieoWaiting,
  lastOfUser: { ieos: lastIeos },
} satisfies Module<'ieo'>;
