import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './postgres-files.ts';
import { type KeyFormat, readKeyFile } from './key-file.ts';

export const PLATFORM_KEY_FILE = 'platform-key.json';

/** A key of the gateway and the secret that signs its calls. */
export interface PlatformKey {
  key: string;
  secret: string;
}

/** The newest key of the gateway, and during a rotation the one before it; calls of both are accepted. */
export interface PlatformKeys extends PlatformKey {
  previous?: PlatformKey;
}

/** Keys from the environment. */
export interface PlatformKeySettings {
  platformKey?: string | undefined;
  platformSecret?: string | undefined;
  platformKeyPrevious?: string | undefined;
  platformSecretPrevious?: string | undefined;
}

/**
 * The keys of gateway calls: from the environment, or generated at the first start and stored in DATA_DIR.
 *
 * @throws Error for a damaged or unreadable file
 */
export function readOrMakePlatformKeys(settings: PlatformKeySettings, dataDir: string): PlatformKeys {
  const found = findPlatformKeys(settings, dataDir);
  if (found) return found;
  const path = join(dataDir, PLATFORM_KEY_FILE);
  writePrivate(path, platformKeyText(newPlatformKey()));
  return readKeyFile(path, platformKeyFormat);
}

/** Reads the keys without creating one; undefined if there is none yet. */
export function findPlatformKeys(settings: PlatformKeySettings, dataDir: string): PlatformKeys | undefined {
  const newest = pairOf(settings.platformKey, settings.platformSecret);
  if (newest) {
    const previous = pairOf(settings.platformKeyPrevious, settings.platformSecretPrevious);
    return { ...newest, ...(previous && { previous }) };
  }
  const path = join(dataDir, PLATFORM_KEY_FILE);
  return existsSync(path) ? readKeyFile(path, platformKeyFormat) : undefined;
}

const pairOf = (key: unknown, secret: unknown): PlatformKey | undefined =>
  typeof key === 'string' && typeof secret === 'string' && key !== '' && secret !== '' ? { key, secret } : undefined;

export const newPlatformKey = (): PlatformKey => ({
  key: randomBytes(8).toString('hex'),
  secret: randomBytes(32).toString('hex'),
});

export const platformKeyText = (keys: PlatformKeys): string => `${JSON.stringify(keys)}\n`;

/** The newest first. */
export const listPlatformKeys = ({ key, secret, previous }: PlatformKeys): PlatformKey[] =>
  previous ? [{ key, secret }, previous] : [{ key, secret }];

export const platformKeyFormat: KeyFormat<PlatformKeys> = {
  expected: '{"key", "secret"}',
  parse: ({ key, secret, previous }) => {
    const newest = pairOf(key, secret);
    if (!newest || previous === undefined) return newest;
    const older = typeof previous === 'object' && previous !== null ? (previous as Record<string, unknown>) : {};
    const pair = pairOf(older['key'], older['secret']);
    return pair && pair.key !== newest.key ? { ...newest, previous: pair } : undefined;
  },
  remedy:
    'Restore it from a backup, or delete it: the next start makes a new key, which the platform must then be given.',
};
