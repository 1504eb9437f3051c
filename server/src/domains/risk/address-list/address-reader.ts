import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableFile } from './address-file-line.rules.ts';
import { type FileFields, readBatches } from './address-file.rules.ts';
import type { FromReader } from './address-thread.ts';

// Worker thread that reads one file from its standard input. After each batch it waits until the next one is wanted.

const port = parentPort;
if (!port) throw new Error('This program runs as a thread.');
const send = (message: FromReader): void => port.postMessage(message);

try {
  for await (const batch of readBatches(process.stdin, workerData as FileFields)) {
    send(batch);
    await once(port, 'message');
  }
} catch (error) {
  if (!(error instanceof UnreadableFile)) throw error;
  send({ message: error.message, unread: error.unread });
}
process.stdin.destroy();
