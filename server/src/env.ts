import { resolve } from 'node:path';
import { EXPORT_JOB_ROWS, EXPORT_ROWS_PER_SECOND } from '@hengtai/contract/export';

/** What the environment says, read and checked once at the start of a process. */
export interface Env {
  port: number;
  host: string;
  /** So many servers, on this port and those after it; something in front of them makes them one address. */
  processes: number;
  /** Undefined: the supervisor brings its own PostgreSQL. */
  databaseUrl: string | undefined;
  /** The database as the app role, where connection options cannot say it (behind a pooler). */
  databaseAppUrl: string | undefined;
  /** A streaming replica that lists are read from. */
  databaseReadUrl: string | undefined;
  dataDir: string;
  adminAccount: string;
  adminPassword: string | undefined;
  simulator: boolean;
  /** The platform is the simulator: it may take the installation live by itself. The supervisor says so to its children. */
  platformIsSimulator: boolean;
  platformKey: string | undefined;
  platformSecret: string | undefined;
  /** The key that seals secrets of one-time codes, in hexadecimal; undefined: the one kept in DATA_DIR. */
  otpKey: string | undefined;
  /** Whose X-Forwarded-For is believed: nobody's, everybody's, or that of so many proxies or of these addresses. */
  trustProxy: boolean | number | string;
  logLevel: LogLevel;
  /** Where the signed heads of the audit chain are kept; best on another disk or machine than the database. */
  auditDir: string;
  /** An export of more rows is made in the background. */
  exportJobRows: number;
  /** Such an export writes at most so many rows a second. */
  exportRowsPerSecond: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Source = Record<string, string | undefined>;

export function readEnv(source: Source): Env {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, rule: string): T => {
    const text = source[name]?.trim();
    // An empty variable means the same as none: that is how compose files leave one out.
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} ${rule}.`);
    return value ?? fallback;
  };
  const text = (name: string): string | undefined => read<string | undefined>(name, undefined, (given) => given, '');
  const dataDir = resolve(text('DATA_DIR') ?? 'data');
  const env: Env = {
    port: read('PORT', 8080, parsePort, 'must be a port number from 1 to 65535'),
    host: text('HOST') ?? '127.0.0.1',
    processes: read('PROCESSES', 1, parseProcesses, 'must be a number from 1 to 32'),
    databaseUrl: read('DATABASE_URL', undefined, parseDatabaseUrl, 'must look like postgres://user:password@host/name'),
    databaseAppUrl: read('DATABASE_APP_URL', undefined, parseDatabaseUrl, 'must look like DATABASE_URL'),
    databaseReadUrl: read('DATABASE_READ_URL', undefined, parseDatabaseUrl, 'must look like DATABASE_URL'),
    dataDir,
    adminAccount: read('ADMIN_ACCOUNT', 'admin', parseAccount, 'must be 2 to 64 letters, digits or . _ - @ +'),
    // A password is taken as it is, with its spaces.
    adminPassword: source['ADMIN_PASSWORD'] === '' ? undefined : source['ADMIN_PASSWORD'],
    simulator: read('SIMULATOR', true, parseSwitch, 'must be on or off'),
    platformIsSimulator: read('PLATFORM_IS_SIMULATOR', false, parseSwitch, 'must be on or off'),
    platformKey: text('PLATFORM_KEY'),
    platformSecret: read('PLATFORM_SECRET', undefined, parseSecret, 'must not be empty'),
    otpKey: read('OTP_KEY', undefined, parseKey, 'must be 64 hexadecimal digits'),
    trustProxy: read<boolean | number | string>('TRUST_PROXY', false, parseTrust, 'is not understood'),
    logLevel: read('LOG_LEVEL', 'info', parseLogLevel, `must be one of ${LOG_LEVELS.join(', ')}`),
    auditDir: resolve(text('AUDIT_DIR') ?? dataDir),
    exportJobRows: read('EXPORT_JOB_ROWS', EXPORT_JOB_ROWS, parseCount, 'must be a number of rows'),
    exportRowsPerSecond: read('EXPORT_ROWS_PER_SECOND', EXPORT_ROWS_PER_SECOND, parseRate, 'must be a number above 0'),
  };
  if (env.port + env.processes - 1 > 65_535) problems.push('PORT leaves no room for so many PROCESSES.');
  if ((env.platformKey === undefined) !== (env.platformSecret === undefined)) {
    problems.push('PLATFORM_KEY and PLATFORM_SECRET go together: set both or none.');
  }
  if (problems.length > 0) throw new Error(`The environment is not right:\n${problems.join('\n')}`);
  return env;
}

function parsePort(text: string): number | undefined {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

function parseProcesses(text: string): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && count >= 1 && count <= 32 ? count : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 ? text : undefined;
}

function parseAccount(text: string): string | undefined {
  return /^[A-Za-z0-9._@+-]{2,64}$/.test(text) ? text : undefined;
}

function parseSecret(text: string): string | undefined {
  return text.length > 0 ? text : undefined;
}

function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function parseRate(text: string): number | undefined {
  return parseCount(text) || undefined;
}

/** 256 bits. */
function parseKey(text: string): string | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  return /^(off|false|0|no)$/i.test(text) ? false : undefined;
}

/** A number is that many proxies in a row, which is safer than believing whatever the header says. */
function parseTrust(text: string): boolean | number | string {
  return /^\d+$/.test(text) ? Number(text) : (parseSwitch(text) ?? text);
}

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text.toLowerCase());
}
