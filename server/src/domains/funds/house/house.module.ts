import type { Module } from '../../module.ts';
import { watchInsurance } from './house.jobs.ts';
import { housePreview, houseTransfer, listBalances } from './house.service.ts';
import { listHouseEntries } from './house.store.ts';

export const houseModule = {
  routes: {
    list: listBalances,
    entries: listHouseEntries,
    preview: housePreview,
    transfer: houseTransfer,
  },
  jobs: [{ name: 'house-insurance', everyMs: 60_000, run: watchInsurance }],
} satisfies Module<'house'>;
