import type { App } from '../../core/context.ts';
import { underLease } from '../../core/lease.store.ts';
import type { Module } from '../module.ts';
import { keyEntries } from './address-key.store.ts';
import { addressApply, addressUpload, listAddresses, readImport } from './address-import.service.ts';
import { addressAdd, addressRemove, listEntries } from './address-list.service.ts';

/** Keys the entries that servers of the last release insert beside this one. */
async function keyAdded(app: App): Promise<boolean> {
  await underLease(app, 'address-keys', keyEntries);
  return false;
}

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
  jobs: [{ name: 'address-keys', everyMs: 5_000, run: keyAdded }],
} satisfies Module<'addressList'>;
