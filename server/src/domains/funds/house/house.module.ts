import type { Module } from '../../module.ts';
import { housePreview, houseTransfer, listBalances } from './house.service.ts';
import { listHouseEntries } from './house.store.ts';

export const houseModule = {
  routes: {
    list: listBalances,
    entries: listHouseEntries,
    preview: housePreview,
    transfer: houseTransfer,
  },
} satisfies Module<'house'>;
