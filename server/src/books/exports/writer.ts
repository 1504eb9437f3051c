import { setPriority } from 'node:os';
import { type FileTask, FileTooLarge, makeFile } from './make-file.ts';
import type { FailureReason, FromWriter } from './writer-process.ts';

// Writes one file and exits. It gets the task as a message and the rows on stdin, and knows no database and no secret.
// It exits when its parent process does.

/** Lowest priority, so that requests of the servers come first. */
const PRIORITY = 19;
const REPORT_EVERY_MS = 200;

const sendToParent = (message: FromWriter): Promise<void> =>
  new Promise((resolve) => void (process.send?.(message, () => resolve()) ?? resolve()));

process.once('disconnect', () => process.exit(1));

process.once('message', (task: FileTask) => {
  void (async () => {
    let reportedAt = Number.NEGATIVE_INFINITY;
    const onRows = (rows: number): void => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      void sendToParent({ kind: 'rows', rows });
    };
    try {
      await sendToParent({ kind: 'done', ...(await makeFile(task, process.stdin, onRows)) });
    } catch (error) {
      await sendToParent({
        kind: 'failed',
        reason: reasonOf(error),
        text: error instanceof Error ? (error.stack ?? '') : String(error),
      });
    }
    process.exit(0);
  })();
});

function reasonOf(error: unknown): FailureReason {
  if (error instanceof FileTooLarge) return 'size';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'space' : 'error';
}

try {
  setPriority(PRIORITY);
} catch {
  // Not allowed here: run with normal priority.
}
