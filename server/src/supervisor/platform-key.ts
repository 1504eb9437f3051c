import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../db/postgres-files.ts';
import type { Env } from '../env.ts';

export interface PlatformKey {
  key: string;
  secret: string;
}

/** The key that signs gateway calls: from the environment, or made at the first start and kept with the data. */
export function readPlatformKey(env: Env, dataDir: string): PlatformKey {
  if (env.platformKey !== undefined && env.platformSecret !== undefined) {
    return { key: env.platformKey, secret: env.platformSecret };
  }
  const path = join(dataDir, 'platform-key.json');
  if (!existsSync(path)) {
    const made: PlatformKey = { key: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('hex') };
    writePrivate(path, `${JSON.stringify(made)}\n`);
  }
  const { key, secret } = JSON.parse(readFileSync(path, 'utf8')) as Partial<PlatformKey>;
  if (!key || !secret) throw new Error(`${path} must hold {"key", "secret"}: restore it from a backup.`);
  return { key, secret };
}
