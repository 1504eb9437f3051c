import { addressList } from '@hengtai/contract/risk/address-list/calls';

/** Queries to invalidate after an action. */
export const STALE = [addressList.list, addressList.entries, addressList.detail];
