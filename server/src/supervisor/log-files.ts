import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createStream } from 'rotating-file-stream';

const SIZE = '10M';
const OLD_FILES_MAX = 5;
const FILE_MODE = 0o600;
const RETRY_MS = 10_000;
const TAIL_LINES = 20;

/** A log file that rotates by size. */
export interface LogFile {
  write: (chunk: Buffer | string) => void;
  /** The last lines that were written. */
  tail: () => string[];
  end: () => Promise<void>;
}

/** Creates the log folder and returns its path. Logs contain addresses, so only the owner may read them. */
export function openLogFolder(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/**
 * Opens the log file `name`; older files are `name.1` to `name.5`. If it cannot be written, this is reported once, logs
 * are dropped and opening is retried later, because a full disk must not stop the service.
 */
export function openLogFile(folder: string, name: string, report: (message: string) => void): LogFile {
  let stream: ReturnType<typeof createStream> | undefined;
  let retryAt = 0;
  let tail = '';
  const open = (): ReturnType<typeof createStream> => {
    const opened = createStream((index) => (typeof index === 'number' ? `${name}.${index}` : name), {
      path: folder,
      size: SIZE,
      rotate: OLD_FILES_MAX,
      mode: FILE_MODE,
    });
    opened.on('error', (error) => {
      if (stream !== opened) return;
      stream = undefined;
      if (retryAt === 0) report(`Logs cannot be written to ${join(folder, name)}: ${error.message}`);
      retryAt = Date.now() + RETRY_MS;
    });
    return opened;
  };
  return {
    write(chunk) {
      tail = lastLines(tail + String(chunk));
      if (!stream && Date.now() >= retryAt) stream = open();
      stream?.write(chunk);
    },
    tail: () => tail.split('\n').filter((line) => line !== ''),
    end: () =>
      new Promise((resolve) => {
        if (!stream) return resolve();
        stream.once('error', () => resolve());
        stream.end(() => resolve());
      }),
  };
}

/** The last lines, limited in length because a child may write no line breaks. */
const lastLines = (text: string): string =>
  text
    .split('\n')
    .slice(-TAIL_LINES - 1)
    .join('\n')
    .slice(-20_000);
