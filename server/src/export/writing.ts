import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { nodeArguments } from '../supervisor/child.ts';
import type { FileOrder } from './make-file.ts';

export type FromWriter =
  | { kind: 'rows'; rows: number }
  | { kind: 'done'; rows: number; size: number }
  | { kind: 'failed'; why: 'space' | 'size' | 'fault'; text: string };

/** Why no file came of it, where that is nobody's fault. */
export class NotWritten extends Error {
  override name = 'NotWritten';
  readonly why: 'space' | 'size' | 'fault';

  constructor(why: 'space' | 'size' | 'fault', text: string) {
    super(text);
    this.why = why;
  }
}

/** Megabytes of objects that the writer may hold; its bytes lie outside of them. */
const HEAP_MB = 64;

const entry = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './writer.ts' : './export-writer.js', import.meta.url));

/**
 * Has a process of its own write the file, so that formatting and packing take nothing from the calls of this one. Rows go
 * there no faster than it takes them.
 *
 * @param signal ends the writer at once
 * @throws NotWritten
 */
export async function writeFile(
  order: FileOrder,
  rows: AsyncIterable<Uint8Array>,
  { signal, onRows }: { signal: AbortSignal; onRows: (rows: number) => void },
): Promise<{ rows: number; size: number }> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ...nodeArguments(entry())], {
    env: {},
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    windowsHide: true,
  });
  const end = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  const result = resultOf(child, onRows);
  try {
    child.send(order);
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
 * Piece by piece, each once the one before is on its way: they may share their memory. A writer that went away has said why,
 * and a broken pipe is not the news.
 */
async function feed(child: ChildProcess, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const { stdin } = child;
  if (!stdin) throw new Error('The export writer process has no standard input.');
  stdin.on('error', () => undefined);
  try {
    for await (const piece of rows) if (!(await isWritten(stdin, piece))) return;
    stdin.end();
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

const isWritten = (to: Writable, piece: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => to.write(piece, (error) => resolve(!error)));

function resultOf(child: ChildProcess, onRows: (rows: number) => void): Promise<{ rows: number; size: number }> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromWriter) => {
      if (message.kind === 'rows') onRows(message.rows);
      else if (message.kind === 'done') resolve({ rows: message.rows, size: message.size });
      else reject(new NotWritten(message.why, message.text));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new NotWritten('fault', `the writer ended (${signal ?? code})`)));
  });
}
