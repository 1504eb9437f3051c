import {
  hostsOf,
  parseDatabaseUrl,
  parseFolder,
  parseHostPorts,
  parseHosts,
  parsePublicUrl,
  parseSender,
  parseSigningUrl,
  parseSmtpUrl,
  parseTelegramToken,
  parseTrust,
  parseWebhook,
  wholeNumber,
} from './env-parse.ts';
import { resolve } from 'node:path';
import { EXPORT_JOB_ROWS, EXPORT_ROWS_PER_SECOND } from '@hengtai/contract/desk/export/calls';
import type { ChannelSettings } from '../app/context.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import {
  type ValuesOf,
  type Variable,
  camelCase,
  host,
  matching,
  onOff,
  optional,
  port,
  secret,
} from './env-variable.ts';
import { type OidcEnv, findOidcConflicts, oidcVariables, oidcOf } from './env-oidc.ts';
import { describeProblem, readSimulatorSettings } from '@hengtai/contract/gateway/simulator';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const folder = optional(parseFolder, 'the path of a folder');
const databaseUrl = secret(optional(parseDatabaseUrl, 'an address like postgres://user:password@host:5432/database'));

const platformKey = matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 ASCII characters without spaces');
const platformSecret = secret(optional((text) => text, 'at least one character'));
const otpKey = secret(
  optional((text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined), '64 hexadecimal digits'),
);

/** The one definition of each variable of the supervisor and the server. */
export const variables = {
  PORT: port(8080),
  HOST: host,
  /** Number of servers, on `port` and the ports after it; a proxy in front makes them one address. */
  PROCESSES: { fallback: 1, parse: wholeNumber(1, 32), rule: 'a whole number from 1 to 32' },
  /** URL of the database's owner. Undefined: the supervisor starts its own PostgreSQL. */
  DATABASE_URL: databaseUrl,
  /** URL of the database for the app role, for setups where HengTai does not create the login role (a pooler). */
  DATABASE_APP_URL: databaseUrl,
  /** A streaming replica that lists are read from. */
  DATABASE_READ_URL: databaseUrl,
  DATA_DIR: folder,
  /** Folder of the signed heads of the audit chain; should be on another disk or machine than the database. */
  AUDIT_DIR: folder,
  ADMIN_ACCOUNT: {
    ...matching(/^[A-Za-z0-9._@+-]{2,64}$/, '2 to 64 letters, digits or . _ - @ +'),
    fallback: 'admin',
  } as Variable<string>,
  ADMIN_PASSWORD: secret(
    optional((text) => (text.length >= 8 && text.length <= 128 ? text : undefined), '8 to 128 characters'),
  ),
  SIMULATOR: onOff(true),
  /** The platform is the simulator, which may take the installation live by itself. Set by the supervisor. */
  PLATFORM_IS_SIMULATOR: onOff(false),
  PLATFORM_KEY: platformKey,
  PLATFORM_SECRET: platformSecret,
  /** The key and secret before these, which are also accepted during a rotation. */
  PLATFORM_KEY_PREVIOUS: platformKey,
  PLATFORM_SECRET_PREVIOUS: platformSecret,
  /** URL to which commands are pushed. */
  PLATFORM_WEBHOOK: secret(optional(parseWebhook, 'an address like https://exchange.example.com/commands')),
  /** The key that encrypts the secrets of one-time codes, in hexadecimal; undefined: the one kept in DATA_DIR. */
  OTP_KEY: otpKey,
  /** The key before it, during a rotation. */
  OTP_KEY_PREVIOUS: otpKey,
  /** Which proxies' X-Forwarded-For is trusted: none, all, a number of hops, or a list of addresses. */
  TRUST_PROXY: {
    fallback: false,
    parse: parseTrust,
    rule: 'on, off, a number of proxies, or addresses and networks separated by commas, like 10.0.0.0/8',
  } as Variable<boolean | number | string>,
  LOG_LEVEL: {
    fallback: 'info',
    parse: (text: string) => LOG_LEVELS.find((level) => level === text.toLowerCase()),
    rule: `one of ${LOG_LEVELS.join(', ')}`,
  } as Variable<LogLevel>,
  /** Address of the console, without a trailing slash. */
  PUBLIC_URL: optional(parsePublicUrl, 'an address like https://desk.example.com, without a path'),
  /** Folder of the signing page, with a slash at its end; undefined: this server serves it. */
  SIGNING_URL: optional(parseSigningUrl, 'an https address of a host name, like https://sign.example.com/'),
  ALLOWED_HOSTS: optional(parseHosts, 'host names separated by commas, without ports'),
  SMTP_URL: secret(optional(parseSmtpUrl, 'an address like smtps://user:password@mail.example.com')),
  MAIL_FROM: optional(parseSender, 'a mail address like desk@example.com or HengTai <desk@example.com>'),
  TELEGRAM_TOKEN: secret(optional(parseTelegramToken, 'the token of a bot, like 123456:ABC-DEF')),
  TELEGRAM_URL: {
    fallback: 'https://api.telegram.org',
    parse: parsePublicUrl,
    rule: 'an address like https://api.telegram.org, without a path',
  } as Variable<string>,
  CHANNEL_HOSTS: optional(parseHostPorts, 'hosts separated by commas, each with or without a port'),
  CHANNEL_PRIVATE: onOff(false),
  ANNOUNCE_HOSTS: optional(parseHosts, 'host names separated by commas, without ports'),
  ...oidcVariables,
  /** Where security problems are reported, for /.well-known/security.txt. */
  SECURITY_CONTACT: matching(
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
    'an address that begins with mailto: or https:',
  ),
  /** An export of more rows runs in the background. */
  EXPORT_JOB_ROWS: {
    fallback: EXPORT_JOB_ROWS,
    parse: wholeNumber(0, 999_999_999),
    rule: 'a whole number of rows from 0 to 999999999',
  },
  /** Maximum rows per second of a background export. */
  EXPORT_ROWS_PER_SECOND: {
    fallback: EXPORT_ROWS_PER_SECOND,
    parse: wholeNumber(1, 999_999_999),
    rule: 'a whole number of rows from 1 to 999999999',
  },
  /** Port of /metrics of the first server; the others use the ports after it. Undefined: no metrics. */
  METRICS_PORT: { ...port(0), fallback: undefined } as Variable<number | undefined>,
  METRICS_HOST: host,
  // The supervisor kills a server 15 seconds after its stop signal.
  /** Seconds between a stop signal, from which /readyz fails, and the end of the listener. */
  DRAIN_SECONDS: { fallback: 0, parse: wholeNumber(0, 10), rule: 'a whole number of seconds from 0 to 10' },
  /** Port of the console under `npm run dev`. */
  CONSOLE_PORT: port(5173),
};

type Source = Record<string, string | undefined>;
type Values = ValuesOf<typeof variables>;

/** The environment, read and checked once at the start of a process: each variable, and what follows from several. */
export interface Env extends Omit<Values, 'dataDir' | 'auditDir' | 'announceHosts'> {
  dataDir: string;
  /** Folder of the signed heads of the audit chain; should be on another disk or machine than the database. */
  auditDir: string;
  announceHosts: readonly string[];
  /** Accepted host names, including that of PUBLIC_URL; an empty list accepts all. */
  hosts: readonly string[];
  channels: Omit<ChannelSettings, 'publicUrl'>;
  oidc: OidcEnv | undefined;
}

/**
 * Reads and checks every variable.
 *
 * @throws Error with one line per variable that is not accepted: its name, its value unless it is secret, and the rule
 */
export function readEnv(source: Source): Env {
  const problems: string[] = [];
  const readOne = (name: string, variable: Variable<unknown>): unknown => {
    // A password may begin or end with spaces.
    const text = name === 'ADMIN_PASSWORD' ? source[name] : source[name]?.trim();
    // Compose files set a variable to the empty string to leave it out.
    if (text === undefined || text === '') return variable.fallback;
    const value = variable.parse(text);
    if (value === undefined) {
      problems.push(
        variable.isSecret ? `${name} is not accepted: ${variable.rule}.` : describeProblem(name, text, variable.rule),
      );
    }
    return value ?? variable.fallback;
  };
  const entries = Object.entries(variables).map(([name, variable]) => [camelCase(name), readOne(name, variable)]);
  const values = Object.fromEntries(entries) as Values;
  const dataDir = resolve(values.dataDir ?? 'data');
  const env: Env = {
    ...values,
    dataDir,
    auditDir: resolve(values.auditDir ?? dataDir),
    announceHosts: values.announceHosts?.split(',') ?? [],
    hosts: hostsOf(values.publicUrl, values.allowedHosts),
    channels: channelsOf(values),
    oidc: oidcOf(values),
  };
  problems.push(...findConflicts(source, env), ...readSimulatorSettings(source).problems);
  if (problems.length > 0)
    throw new ConfigurationError(`The environment is not accepted · 环境变量有误:\n${problems.join('\n')}`);
  return env;
}

function channelsOf(values: Values): Env['channels'] {
  const { smtpUrl: url, mailFrom: from, telegramToken: token, telegramUrl } = values;
  return {
    hosts: values.channelHosts?.split(',') ?? [],
    allowPrivate: values.channelPrivate,
    smtp: url !== undefined && from !== undefined ? { url, from } : undefined,
    telegram: token === undefined ? undefined : { token, url: telegramUrl },
  };
}

/** Checks the rules that concern several variables. */
function findConflicts(source: Source, env: Env): string[] {
  const isSet = (name: string): boolean => (source[name]?.trim() ?? '') !== '';
  const conflicts: string[] = [];
  if (env.port + env.processes - 1 > 65_535) {
    const values = `PORT=${env.port} and PROCESSES=${env.processes}`;
    conflicts.push(`${values} are not accepted: the last of the ports must be at most 65535.`);
  }
  if (env.metricsPort !== undefined) {
    const values = `METRICS_PORT=${env.metricsPort} with PORT=${env.port} and PROCESSES=${env.processes}`;
    if (env.metricsPort + env.processes - 1 > 65_535)
      conflicts.push(`${values} is not accepted: the last of the ports must be at most 65535.`);
    if (Math.abs(env.metricsPort - env.port) < env.processes)
      conflicts.push(`${values} is not accepted: each server needs two ports of its own.`);
  }
  for (const [name, other] of [
    ['PLATFORM_KEY', 'PLATFORM_SECRET'],
    ['PLATFORM_KEY_PREVIOUS', 'PLATFORM_SECRET_PREVIOUS'],
  ] as const) {
    if (isSet(name) !== isSet(other)) conflicts.push(`${name} and ${other} go together: set both or none.`);
  }
  for (const name of ['PLATFORM_KEY', 'OTP_KEY']) {
    const previous = `${name}_PREVIOUS`;
    if (isSet(previous) && !isSet(name)) conflicts.push(`${previous} needs ${name}: set both or none.`);
    else if (isSet(previous) && source[previous]?.trim() === source[name]?.trim())
      conflicts.push(`${previous} is the same as ${name}: it must be the key before it.`);
  }
  conflicts.push(...findOidcConflicts(isSet));
  if (isSet('SMTP_URL') !== isSet('MAIL_FROM')) conflicts.push('SMTP_URL and MAIL_FROM go together: set both or none.');
  for (const name of ['DATABASE_APP_URL', 'DATABASE_READ_URL']) {
    if (isSet(name) && !isSet('DATABASE_URL')) conflicts.push(`${name} needs DATABASE_URL: set both or none.`);
  }
  return conflicts;
}
