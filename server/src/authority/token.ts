import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A token of 256 random bits. The database stores only its SHA-256. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Derives the next token from the current one by a keyed hash, so that parallel calls on any server process get the same
 * token without a lock. The key alone cannot derive a token.
 */
export const nextToken = (key: string, token: string): string =>
  createHmac('sha256', key).update(`next token\n${token}`).digest('base64url');
