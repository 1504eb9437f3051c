import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes, one lane: the smallest set that OWASP names. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * A hash takes a thread of the pool that also reads files, and a whole processor: more at once would starve whatever else
 * the machine does.
 */
const AT_ONCE = availableParallelism() > 3 ? 2 : 1;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, PARAMETERS));

let dummy: Promise<string> | undefined;

/** Takes as long for an account that does not exist, or has no password, as for one that does. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('no account has this password');
  const against = stored ?? (await dummy);
  const matches = await inTurn(() => verify(against, password));
  return stored !== null && matches;
}
