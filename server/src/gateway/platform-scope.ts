import { SETTLEMENT } from '@hengtai/contract/values/money';

/** The platform that users belong to if no other one registered them. The keys of the environment are its keys. */
export const DEFAULT_PLATFORM = 1;

/** What a platform may speak of: its users, and markets by name. Without a list, every market. */
export interface PlatformScope {
  id: number;
  markets?: ReadonlySet<string>;
  /** The row of the key that the call was signed with. Keys of the environment have none. */
  key?: KeyVersion;
}

/** A key of the table as it was read: every change of the key or its platform raises one of the times. */
export interface KeyVersion {
  id: number;
  updatedAt: number;
  platformUpdatedAt: number;
}

/** The id of a call's key for records; 0 for a key of the environment. */
export const keyIdOf = ({ key }: PlatformScope): number => key?.id ?? 0;

export const DEFAULT_SCOPE: PlatformScope = { id: DEFAULT_PLATFORM };

/** Whether a market is in scope. The settlement asset always is, because every balance may need it. */
export const hasMarket = ({ markets }: PlatformScope, name: string): boolean =>
  markets === undefined || name === SETTLEMENT || markets.has(name);
