import type { Writable } from 'node:stream';
import { type LogFile, openLogFile, openLogFolder } from './log-files.ts';

/** Where the messages of the supervisor and its children go. */
export interface Output {
  /** The folder of the log files; undefined if children inherit stdout and stderr. */
  logFolder?: string | undefined;
  /** The log file of a child; undefined if it inherits stdout and stderr. */
  logFileOf: (name: LogName) => LogFile | undefined;
  /** Shows a message of the supervisor. */
  report: (message: string) => void;
  /** Shows a text on stdout, unless it is empty. */
  print: (text: string) => void;
  /** Shows how much of the demo's history is imported, 0 to 1. */
  showProgress: (share: number) => void;
  /** Erases the progress and closes the log files. */
  end: () => Promise<void>;
}

export type LogName = 'server' | 'simulator';

interface Streams {
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable;
}

const LABEL = "Importing the demo's history · 正在导入演示数据";
const ERASE = '\r\u001B[2K';

/** A closed terminal or pipe must not stop the service. */
function ignoreErrors({ stdout, stderr }: Streams): void {
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
}

/** Everything goes to stdout and stderr; the progress is one line per 10 %. */
export function plainOutput(streams: Streams = process): Output {
  const { stdout, stderr } = streams;
  ignoreErrors(streams);
  let printedTenths = 0;
  return {
    logFileOf: () => undefined,
    report: (message) => void stderr.write(`${message}\n`),
    print: (text) => void (text === '' || stdout.write(`${text}\n`)),
    showProgress(share) {
      const tenths = Math.floor(share * 10);
      if (tenths <= printedTenths) return;
      printedTenths = tenths;
      stdout.write(`${LABEL} ${tenths * 10} %\n`);
    },
    end: async () => undefined,
  };
}

/**
 * Output for a terminal: the children write to log files, so that the greeting stays visible. The progress line below
 * it is redrawn in place and erased at the end. Falls back to `plainOutput` if the log folder cannot be created.
 */
export function terminalOutput(dataDir: string, streams: Streams = process): Output {
  let folder: string;
  try {
    folder = openLogFolder(dataDir);
  } catch (error) {
    streams.stderr.write(`The log folder cannot be created, so logs go to this terminal: ${String(error)}\n`);
    return plainOutput(streams);
  }
  const { stdout, stderr } = streams;
  ignoreErrors(streams);
  const files = new Map<LogName, LogFile>();
  let progress = '';
  const withoutProgress = (write: () => void): void => {
    if (progress !== '') stdout.write(ERASE);
    write();
    if (progress !== '') stdout.write(progress);
  };
  const show = (message: string): void => withoutProgress(() => void stderr.write(`${message}\n`));
  const logFileOf = (name: LogName): LogFile => {
    const file = files.get(name) ?? openLogFile(folder, `${name}.log`, show);
    files.set(name, file);
    return file;
  };
  const showProgress = (share: number): void => {
    // A terminal of unknown width reports 0 columns.
    const line = share < 1 ? progressLine(share, stdout.columns || 80) : '';
    if (line === progress) return;
    stdout.write(progress === '' ? line : `${ERASE}${line}`);
    progress = line;
  };
  return {
    logFolder: folder,
    logFileOf,
    report(message) {
      show(message);
      logFileOf('server').write(`${JSON.stringify({ time: Date.now(), name: 'supervisor', msg: message })}\n`);
    },
    print: (text) => withoutProgress(() => void (text === '' || stdout.write(`${text}\n`))),
    showProgress,
    async end() {
      showProgress(1);
      await Promise.all([...files.values()].map((file) => file.end()));
    },
  };
}

/** A wrapped line could not be erased, so a narrow terminal gets the percentage only. */
function progressLine(share: number, columns: number): string {
  const percentage = `${Math.floor(share * 100)} %`;
  const full = Math.round(share * 20);
  const line = `  ${LABEL} [${'#'.repeat(full)}${'-'.repeat(20 - full)}] ${percentage}`;
  // A Chinese character takes two columns.
  const width = Array.from(line).reduce((sum, letter) => sum + (letter > '\u2E7F' ? 2 : 1), 0);
  return width < columns ? line : `  ${percentage}`;
}
