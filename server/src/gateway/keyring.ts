import { type CallRight, LISTING_RIGHT, gatewayRights } from '@hengtai/contract/gateway/rights';
import type { App } from '../app/context.ts';
import { decryptSecret } from '../host/secret-key.ts';
import { listPlatformKeys } from '../host/platform-key.ts';
import { type StoredGatewayKey, fetchGatewayKeys } from './gateway-key.store.ts';
import { addressTest } from './networks.ts';
import { DEFAULT_SCOPE, type PlatformScope } from './platform-scope.ts';

/** A key that may sign calls. */
export interface GatewayKey {
  /** The value of `x-key`. */
  key: string;
  secret: string;
  /** Name in metrics. */
  name: string;
  rights: ReadonlySet<string>;
  /** What its platform may speak of. */
  scope: PlatformScope;
  isAllowedAddress: (address: string) => boolean;
  /** Unix milliseconds; null if it does not expire. */
  expiresAt: number | null;
  demandsNonce: boolean;
}

/** The right that a call needs: that of the call, or of a family of events. */
export type Right = CallRight | 'import';

const environmentRights: ReadonlySet<string> = new Set(
  Object.keys(gatewayRights).filter((right) => right !== LISTING_RIGHT),
);

/**
 * Keys of the table are read again after this time, so a key that was issued or got more rights can use them within it.
 * What a key lost is noticed by the statements of its calls (`holdsKey`).
 */
const MAX_AGE_MS = 1_000;

/** The keys of the gateway: those of the environment, and those of the table, which are read at most once a second. */
export class Keyring {
  readonly #app: App;
  #stored: Promise<ReadonlyMap<string, GatewayKey>> | undefined;
  #readAt = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * The valid key with this value of `x-key`.
   *
   * @throws the error of the database if the table cannot be read
   */
  async find(key: string): Promise<GatewayKey | undefined> {
    // Keys of the environment come first and need no database: a stored key cannot take their place.
    return this.#findInEnvironment(key) ?? (await this.#readStored()).get(key);
  }

  #findInEnvironment(key: string): GatewayKey | undefined {
    const found = listPlatformKeys(this.#app.platform).find((one) => one.key === key);
    return (
      found && {
        ...found,
        name: 'environment',
        rights: environmentRights,
        scope: DEFAULT_SCOPE,
        isAllowedAddress: () => true,
        expiresAt: null,
        demandsNonce: false,
      }
    );
  }

  /** Calls share one query a second, also if it fails, and however many of them have unknown keys. */
  #readStored(): Promise<ReadonlyMap<string, GatewayKey>> {
    const now = this.#app.clock.now();
    if (this.#stored && Math.abs(now - this.#readAt) < MAX_AGE_MS) return this.#stored;
    this.#readAt = now;
    this.#stored = fetchGatewayKeys(this.#app.system).then((rows) => this.#toKeys(rows));
    return this.#stored;
  }

  /** Makes the next call read the table, because a key turned out to be changed. */
  forget(): void {
    this.#stored = undefined;
  }

  #toKeys(rows: readonly StoredGatewayKey[]): ReadonlyMap<string, GatewayKey> {
    return new Map(
      rows.flatMap((row) => {
        try {
          return [[row.key, this.#toKey(row)] as const];
        } catch (error) {
          this.#app.log.error({ err: error, name: row.name }, 'a key of the gateway cannot be decrypted');
          return [];
        }
      }),
    );
  }

  #toKey({
    id,
    key,
    name,
    secret,
    rights,
    addresses,
    expiresAt,
    nonce,
    platformId,
    markets,
    updatedAt,
    platformUpdatedAt,
  }: StoredGatewayKey): GatewayKey {
    return {
      key,
      name,
      secret: decryptSecret(this.#app.secretKeys.keys(), id, secret, 'gateway'),
      rights: new Set(rights),
      scope: {
        id: platformId,
        ...(markets && { markets: new Set(markets) }),
        key: { id, updatedAt, platformUpdatedAt },
      },
      isAllowedAddress: addressTest(addresses),
      expiresAt,
      demandsNonce: nonce === 1,
    };
  }
}
