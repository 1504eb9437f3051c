import type { Module } from '../module.ts';
import {
  addressAdd,
  addressApply,
  addressRemove,
  addressUpload,
  listAddresses,
  listEntries,
  readImport,
} from './address-list.service.ts';

export const addressListModule = {
  routes: {
    list: listAddresses,
    entries: listEntries,
    detail: readImport,
    add: addressAdd,
    remove: addressRemove,
    upload: addressUpload,
    apply: addressApply,
  },
} satisfies Module<'addressList'>;
