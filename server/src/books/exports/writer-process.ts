import { type ChildProcess, spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { nodeArguments } from '../../host/node-arguments.ts';
import type { FileTask } from './make-file.ts';

/** Disk full, file larger than `bytesMax`, or any other error. */
export type FailureReason = 'space' | 'size' | 'error';

export type FromWriter =
  | { kind: 'rows'; rows: number }
  | { kind: 'done'; rows: number; size: number }
  | { kind: 'failed'; reason: FailureReason; text: string };

/** The writer could not complete the file. */
export class WriterFailed extends Error {
  override name = 'WriterFailed';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, text: string) {
    super(text);
    this.reason = reason;
  }
}

/** Heap limits of the writer in megabytes; buffers are outside the heap. A smaller young generation costs no time. */
const HEAP_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=8'];

const entry = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './writer.ts' : './export-writer.js', import.meta.url));

/**
 * Writes the file in a separate process, so that formatting and compression do not delay the requests of this one. Rows
 * are sent with backpressure.
 *
 * @param signal kills the writer; its reason is thrown
 * @returns rows and bytes of the file
 * @throws WriterFailed
 */
export async function writeFile(
  task: FileTask,
  rows: AsyncIterable<Uint8Array>,
  { signal, onRows }: { signal: AbortSignal; onRows: (rows: number) => void },
): Promise<{ rows: number; size: number }> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...HEAP_FLAGS, ...nodeArguments(entry())], {
    env: {},
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    windowsHide: true,
  });
  const end = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  const result = resultOf(child, onRows);
  try {
    child.send(task);
    const [written] = await Promise.all([result, feed(child, rows)]);
    return written;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await result.catch(() => undefined);
  }
}

/**
 * A broken pipe is ignored: the writer has already reported why it ended.
 *
 * @throws the error of the rows
 */
async function feed(child: ChildProcess, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const { stdin } = child;
  if (!stdin) throw new Error('The export writer process has no standard input.');
  let failure: { error: unknown } | undefined;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* rows;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  await pipeline(source, stdin).catch(() => undefined);
  if (!failure) return;
  child.kill('SIGKILL');
  throw failure.error;
}

function resultOf(child: ChildProcess, onRows: (rows: number) => void): Promise<{ rows: number; size: number }> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromWriter) => {
      if (message.kind === 'rows') onRows(message.rows);
      else if (message.kind === 'done') resolve({ rows: message.rows, size: message.size });
      else reject(new WriterFailed(message.reason, message.text));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new WriterFailed('error', `The export writer exited before it was done (${signal ?? code}).`)),
    );
  });
}
