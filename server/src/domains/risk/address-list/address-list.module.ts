import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import type { Module } from '../../module.ts';
import { keyEntries } from './address-key.store.ts';
import { addressApply, listAddresses, readImport } from './address-import.service.ts';
import { addressAdd, addressRemove, listEntries, recentWithdraws } from './address-list.service.ts';
import { addressUpload, receiveFile, removeAbandonedFiles } from './address-upload.service.ts';

/** Keys the entries that servers of the last release insert while both versions run. */
async function keyNewEntries(app: App): Promise<boolean> {
  await underLease(app, 'address-keys', keyEntries);
  return false;
}

export const addressListModule = {
  routes: {
    list: listAddresses,
    entries: listEntries,
    detail: readImport,
    recent: recentWithdraws,
    add: addressAdd,
    remove: addressRemove,
    upload: { ...addressUpload, receive: receiveFile },
    apply: addressApply,
  },
  jobs: [
    { name: 'address-keys', everyMs: 5_000, run: keyNewEntries },
    { name: 'address-files', everyMs: 3_600_000, run: removeAbandonedFiles },
  ],
} satisfies Module<'addressList'>;
