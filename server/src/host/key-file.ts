import { readFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.ts';

/** Format of a JSON key file. */
export interface KeyFormat<T> {
  /** Description of the format for messages. */
  expected: string;
  /** Returns undefined if the content does not have the format. */
  parse: (content: Record<string, unknown>) => T | undefined;
  /** What to do about a damaged file, as a sentence. */
  remedy?: string;
}

const RESTORE = 'Restore it from a backup.';

/**
 * Reads a JSON file with a key. A damaged file is never replaced, because a new key could not verify or decrypt existing
 * data.
 *
 * @throws Error that names the file, what is wrong with it and what to do
 */
export function readKeyFile<T>(path: string, { expected, parse, remedy = RESTORE }: KeyFormat<T>): T {
  const text = readTextFile(path, remedy);
  const problem = (what: string): Error =>
    new ConfigurationError(`${path} is damaged: ${what}. ${remedy} 密钥文件已损坏。`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw problem('it is not JSON');
  }
  if (typeof content !== 'object' || content === null) throw problem(`it must hold ${expected}`);
  const value = parse(content as Record<string, unknown>);
  if (value === undefined) throw problem(`it must hold ${expected}`);
  return value;
}

/** @throws Error with the path, the error code and what to do if the file cannot be read */
export function readTextFile(path: string, remedy: string = RESTORE): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigurationError(`${path} cannot be read (${code}): check its owner and permissions. ${remedy}`, {
      cause: error,
    });
  }
}
