import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../postgres/postgres-files.ts';
import type { Env } from '../programs/env.ts';
import { type KeyFormat, readKeyFile } from '../postgres/key-file.ts';

export interface PlatformKey {
  key: string;
  secret: string;
}

/**
 * The key and secret of gateway calls: from the environment, or generated at the first start and stored in DATA_DIR.
 *
 * @throws Error for a damaged or unreadable file
 */
export function readPlatformKey(env: Env, dataDir: string): PlatformKey {
  if (env.platformKey !== undefined && env.platformSecret !== undefined) {
    return { key: env.platformKey, secret: env.platformSecret };
  }
  const path = join(dataDir, 'platform-key.json');
  if (!existsSync(path)) {
    const generated: PlatformKey = { key: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('hex') };
    writePrivate(path, `${JSON.stringify(generated)}\n`);
  }
  return readKeyFile(path, platformKeyFormat);
}

const platformKeyFormat: KeyFormat<PlatformKey> = {
  expected: '{"key", "secret"}',
  parse: ({ key, secret }) =>
    typeof key === 'string' && typeof secret === 'string' && key !== '' && secret !== '' ? { key, secret } : undefined,
  remedy:
    'Restore it from a backup, or delete it: the next start makes a new key, which the platform must then be given.',
};
