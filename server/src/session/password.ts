import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { type HashOrder, HashThread, type Hashed, PARAMETERS } from './hashing.ts';

/** A hash takes a whole processor: more at once would starve whatever else the machine does. */
const AT_ONCE = availableParallelism() > 3 ? 2 : 1;
/** Sources that were not built have no thread of their own to start; there a hash takes one of the pool that also reads files. */
const HAS_THREADS = !import.meta.url.endsWith('.ts');

const idle: HashThread[] = [];
let running = 0;
const waiting: (() => void)[] = [];

async function hashed(order: HashOrder): Promise<Hashed> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await (HAS_THREADS ? onThread(order) : here(order));
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function onThread(order: HashOrder): Promise<Hashed> {
  const found = idle.pop();
  const thread = found && !found.left ? found : new HashThread();
  try {
    return await thread.ask(order);
  } finally {
    idle.push(thread);
  }
}

const here = ({ password, against }: HashOrder): Promise<Hashed> =>
  against === undefined ? hash(password, PARAMETERS) : verify(against, password);

export const hashPassword = async (password: string): Promise<string> => String(await hashed({ password }));

let dummy: Promise<string> | undefined;

/** Takes as long for an account that does not exist, or has no password, as for one that does. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword('no account has this password');
  const against = stored ?? (await dummy);
  const matches = await hashed({ password, against });
  return stored !== null && matches === true;
}
