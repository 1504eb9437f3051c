import { setPriority } from 'node:os';
import { type FileOrder, FileTooLarge, makeFile } from './make-file.ts';
import type { FromWriter } from './writing.ts';

// The process that writes one file and ends: it has no database, no key and no secret. Order by message, rows through
// its input, the file in its place. The process that ordered it may die at any moment; then the work is stopped.

/** Runs at low priority, so that requests come first. */
const PRIORITY = 19;
const TELL_EVERY_MS = 200;

const tell = (message: FromWriter): Promise<void> =>
  new Promise((resolve) => void (process.send?.(message, () => resolve()) ?? resolve()));

process.once('disconnect', () => process.exit(1));

process.once('message', (order: FileOrder) => {
  void (async () => {
    let told = 0;
    const onRows = (rows: number): void => {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      void tell({ kind: 'rows', rows });
    };
    try {
      await tell({ kind: 'done', ...(await makeFile(order, process.stdin, onRows)) });
    } catch (error) {
      await tell({
        kind: 'failed',
        why: whyOf(error),
        text: error instanceof Error ? (error.stack ?? '') : String(error),
      });
    }
    process.exit(0);
  })();
});

function whyOf(error: unknown): 'space' | 'size' | 'fault' {
  if (error instanceof FileTooLarge) return 'size';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'space' : 'fault';
}

try {
  setPriority(PRIORITY);
} catch {
  // Where that is not allowed it works as everybody else.
}
