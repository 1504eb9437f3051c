import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type HashJob, runHashJob } from './hashing.ts';

// Worker thread that hashes one password at a time.

/** Low priority, so that requests are served first. */
const PRIORITY = 10;

try {
  // Other systems would change the priority of the whole process.
  if (process.platform === 'linux') setPriority(PRIORITY);
} catch {
  // Without the permission the thread keeps the normal priority.
}

parentPort?.on('message', (job: HashJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(runHashJob(job));
});
