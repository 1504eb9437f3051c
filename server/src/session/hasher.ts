import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type HashOrder, answerTo } from './hashing.ts';

// The thread that hashes passwords, one after the other.

/** Runs at low priority, so that requests come first. */
const PRIORITY = 10;

try {
  // Elsewhere than on Linux it would be the priority of the whole process.
  if (process.platform === 'linux') setPriority(PRIORITY);
} catch {
  // Where that is not allowed it works as everybody else.
}

parentPort?.on('message', (order: HashOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(answerTo(order));
});
