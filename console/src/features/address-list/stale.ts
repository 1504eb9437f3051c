import { addressList } from '@hengtai/contract/address-list';

/** Queries to invalidate after an action. */
export const STALE = [addressList.list, addressList.entries, addressList.detail];
