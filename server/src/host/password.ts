import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { type HashJob, type HashResult, HashThread, PARAMETERS } from './hashing.ts';

/** Each hash uses a whole core; more at once would starve requests and the database. */
const MAX_RUNNING = availableParallelism() > 3 ? 2 : 1;
/** Only the build contains the worker's file. Unbuilt sources hash in the thread pool of the process. */
const HAS_THREADS = !import.meta.url.endsWith('.ts');

const idle: HashThread[] = [];
let running = 0;
const waiting: (() => void)[] = [];

async function runHash(job: HashJob): Promise<HashResult> {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await (HAS_THREADS ? hashOnThread(job) : hashInProcess(job));
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function hashOnThread(job: HashJob): Promise<HashResult> {
  const found = idle.pop();
  const thread = found && !found.hasExited ? found : new HashThread();
  try {
    return await thread.run(job);
  } finally {
    idle.push(thread);
  }
}

const hashInProcess = ({ password, against }: HashJob): Promise<HashResult> =>
  against === undefined ? hash(password, PARAMETERS) : verify(against, password);

export const hashPassword = async (password: string): Promise<string> => String(await runHash({ password }));

let dummyHash: Promise<string> | undefined;

/** Whether a password matches. Without a stored hash it compares with a dummy, so that timing does not reveal accounts. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no account has this password');
  const against = stored ?? (await dummyHash);
  const matches = await runHash({ password, against });
  return stored !== null && matches === true;
}
