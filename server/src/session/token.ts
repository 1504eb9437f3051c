import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 256 random bits; what the database keeps of it is its SHA-256. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * The token that follows an old one: a keyed hash, so that any number of calls at once, on any server process, arrive at
 * the same one without a lock. Without the old token the key is worth nothing.
 */
export const nextToken = (key: string, token: string): string =>
  createHmac('sha256', key).update(`next token\n${token}`).digest('base64url');
