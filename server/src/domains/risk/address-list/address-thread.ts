import { on } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { UnreadableFile } from './address-file-line.rules.ts';
import { type FileBatch, type FileFields, readBatches } from './address-file.rules.ts';

/** A batch, or why the file cannot be used. */
export type FromReader = FileBatch | Pick<UnreadableFile, 'message' | 'unread'>;

/** Worker threads do not inherit the TypeScript loader of `npm run dev` and the tests. */
const HAS_THREADS = !import.meta.url.endsWith('.ts');
/** Readers hold little at a time, but V8 collects what many lines leave behind only near its limit. In megabytes. */
const LIMITS = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 8 };

/** Options of a thread that runs `address-reader.ts`. */
export const readerOptions = (fields: FileFields, resourceLimits: ResourceLimits = LIMITS): WorkerOptions => ({
  workerData: fields,
  stdin: true,
  env: {},
  resourceLimits,
});

/**
 * Reads a file in pieces, on a thread of its own: large files then neither delay the requests of this one nor fill its heap.
 *
 * @throws UnreadableFile, and the errors of `bytes`
 */
export function readFile(bytes: AsyncIterable<Buffer>, fields: FileFields): AsyncGenerator<FileBatch> {
  if (!HAS_THREADS) return readBatches(bytes, fields);
  const path = fileURLToPath(new URL('./address-reader.js', import.meta.url));
  return readOnThread(bytes, new Worker(path, readerOptions(fields)));
}

/** Sends the bytes to a reader and returns its batches, both with backpressure, and ends it. Throws as `readFile`. */
export async function* readOnThread(bytes: AsyncIterable<Buffer>, reader: Worker): AsyncGenerator<FileBatch> {
  const { stdin } = reader;
  if (!stdin) throw new Error('The reader has no standard input.');
  const sending = new AbortController();
  const sent = pipeline(Readable.from(bytes), stdin).catch((error: unknown) => sending.abort(error));
  const answers = on(reader, 'message', { close: ['exit'], signal: sending.signal }) as AsyncIterable<[FromReader]>;
  try {
    for await (const [answer] of answers) {
      if ('unread' in answer) throw new UnreadableFile(answer.message, answer.unread);
      yield answer;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      reader.postMessage('next');
    }
  } catch (error) {
    sending.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new UnreadableFile('读取所需的内存过多，请拆成几个文件');
  } finally {
    await reader.terminate();
    stdin.destroy();
    await sent;
  }
}
