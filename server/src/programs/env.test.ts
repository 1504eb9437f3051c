import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findUnknownVariables } from './env-names.ts';
import { readEnv } from './env.ts';

test('every variable has a default, which also replaces an empty value', () => {
  expect(readEnv({ PORT: '', DATABASE_URL: ' ', ADMIN_PASSWORD: '', SIMULATOR_DAYS: '' })).toMatchObject({
    port: 8080,
    processes: 1,
    host: '127.0.0.1',
    databaseUrl: undefined,
    dataDir: resolve('data'),
    auditDir: resolve('data'),
    adminAccount: 'admin',
    adminPassword: undefined,
    simulator: true,
    trustProxy: false,
    logLevel: 'info',
    consolePort: 5173,
  });
});

test('values are parsed to their types', () => {
  const env = readEnv({ DATA_DIR: '/srv/data', SIMULATOR: 'off', TRUST_PROXY: '1', ADMIN_PASSWORD: ' with space ' });
  expect(env).toMatchObject({ auditDir: '/srv/data', simulator: false, trustProxy: 1, adminPassword: ' with space ' });
  expect(readEnv({ TRUST_PROXY: '10.0.0.0/8, ::1, loopback' }).trustProxy).toBe('10.0.0.0/8, ::1, loopback');
  expect(readEnv({ TRUST_PROXY: 'on' }).trustProxy).toBe(true);
  for (const host of ['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'back-office.example.com', 'my_host'])
    expect(readEnv({ HOST: host }).host).toBe(host);
});

test('the hosts of channels are kept as addresses are compared with them', () => {
  const hosts = 'Hooks.Example.com, a.example:08443,10.0.0.5:80,FD00:0::5,[fd00::5]:443,[fd00::6], b.example.';
  const parsed = [
    'hooks.example.com',
    'a.example:8443',
    '10.0.0.5:80',
    'fd00::5',
    '[fd00::5]:443',
    'fd00::6',
    'b.example',
  ];
  expect(readEnv({ CHANNEL_HOSTS: hosts }).channels.hosts).toEqual(parsed);
});

const problemsOf = (source: Record<string, string>): string[] => {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

describe('a rejected value is reported with its name, the value and the rule', () => {
  test.each([
    ['PORT', '0', 'a port number from 1 to 65535'],
    ['PORT', '8080x', 'a port number from 1 to 65535'],
    ['PORT', '70000', 'a port number from 1 to 65535'],
    ['HOST', '127.0.0.1:8080', 'an IP address or a host name, without a port'],
    ['HOST', 'http://localhost', 'an IP address or a host name, without a port'],
    ['HOST', '127.0.0.256', 'an IP address or a host name, without a port'],
    ['PROCESSES', '0', 'a whole number from 1 to 32'],
    ['PROCESSES', '1.5', 'a whole number from 1 to 32'],
    ['ADMIN_ACCOUNT', 'a', '2 to 64 letters, digits or . _ - @ +'],
    ['SIMULATOR', 'maybe', 'on or off'],
    ['PLATFORM_IS_SIMULATOR', '2', 'on or off'],
    ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['EXPORT_JOB_ROWS', '-1', 'a whole number of rows from 0 to 999999999'],
    ['EXPORT_ROWS_PER_SECOND', '0', 'a whole number of rows from 1 to 999999999'],
    ['CONSOLE_PORT', 'x', 'a port number from 1 to 65535'],
    ...['desk.example.com', 'https://desk.example.com/path', 'ftp://desk.example.com', 'https://a@b.example'].map(
      (value) => ['PUBLIC_URL', value, 'an address like https://desk.example.com, without a path'],
    ),
    ...['http://sign.example.com/', 'https://10.0.0.1/', 'https://sign.example.com/?a', 'sign.example.com'].map(
      (value) => ['SIGNING_URL', value, 'an https address of a host name, like https://sign.example.com/'],
    ),
    ...['desk.example.com:8443', 'a.example,', 'https://a.example'].map((value) => [
      'ALLOWED_HOSTS',
      value,
      'host names separated by commas, without ports',
    ]),
    ...['security@example.com', 'http://example.com', 'mailto:nobody'].map((value) => [
      'SECURITY_CONTACT',
      value,
      'an address that begins with mailto: or https:',
    ]),
    ...[
      'https://hooks.example.com',
      'hooks.example.com:0',
      'hooks.example.com:65536',
      'hooks.example.com:',
      '[hooks.example.com]:1',
      'a.example,',
      'a.example/x',
      'fe80::1%eth0',
      '[10.0.0.5]:80',
    ].map((value) => ['CHANNEL_HOSTS', value, 'hosts separated by commas, each with or without a port']),
    ['CHANNEL_PRIVATE', 'maybe', 'on or off'],
    ['TELEGRAM_URL', 'https://bot.example.com/path', 'an address like https://api.telegram.org, without a path'],
    ['SIMULATOR_DAYS', '2', 'a whole number from 3 to 365'],
    ['SIMULATOR_DAYS', '90.5', 'a whole number from 3 to 365'],
    ['SIMULATOR_USERS', '39', 'a whole number from 40 to 20000'],
    ['SIMULATOR_SPEED', '0', 'a number from 0.01 to 100'],
    ['SIMULATOR_FAIL', 'often', 'a number from 0 to 1'],
    ['SIMULATOR_UNKNOWN', '1.1', 'a number from 0 to 1'],
    ['SIMULATOR_LATE', '-0.1', 'a number from 0 to 1'],
    ['SIMULATOR_SEED', 'x'.repeat(101), 'at most 100 characters'],
    ...['silent', 'silent:2', 'lost:0.1', 'late:0.1,late:0.2', 'silent:0.6,late:0.6', '0.1', 'late:0.1,'].map(
      (value) => [
        'SIMULATOR_WALLET_FAULTS',
        value,
        'shares such as silent:0.01,late:0.01,second:0.01, together at most 1',
      ],
    ),
    ...['loopbak', '10.0.0.0/33', '10.0.0.0/8,', '101'].map((value) => [
      'TRUST_PROXY',
      value,
      'on, off, a number of proxies, or addresses and networks separated by commas, like 10.0.0.0/8',
    ]),
  ])('%s=%s', (name = '', value = '', rule) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}=${value} is not accepted: ${rule}.`]);
  });

  test.each([
    ['ADMIN_PASSWORD', 'short', '8 to 128 characters'],
    ['OTP_KEY', 'abc', '64 hexadecimal digits'],
    ['TELEGRAM_TOKEN', 'token', 'the token of a bot, like 123456:ABC-DEF'],
    ...['exchange.example.com', 'ftp://a.example', 'https://user:word@a.example', 'https://a.example/#x'].map(
      (value) => ['PLATFORM_WEBHOOK', value, 'an address like https://exchange.example.com/commands'],
    ),
    ...[
      'mysql://x/y',
      'nowhere',
      'postgres://user:12/ss@host/db',
      'postgres://user:%zz@host/db',
      'postgres://host',
    ].map((value) => ['DATABASE_URL', value, 'an address like postgres://user:password@host:5432/database']),
  ])('the secret %s is reported without its value (%s)', (name = '', value = '', rule) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} is not accepted: ${rule}.`]);
  });

  test('all rejected values are reported together', () => {
    expect(problemsOf({ PORT: 'x', HOST: 'a b', SIMULATOR_DAYS: '2', DATABASE_URL: 'x' })).toHaveLength(4);
  });
});

test.each([
  [{ PLATFORM_KEY: 'key' }, 'PLATFORM_KEY and PLATFORM_SECRET go together: set both or none.'],
  [{ PLATFORM_SECRET: 'secret', PLATFORM_KEY: ' ' }, 'PLATFORM_KEY and PLATFORM_SECRET go together: set both or none.'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL and MAIL_FROM go together: set both or none.'],
  [
    { SMTP_URL: 'https://user:password@mail.example.com', MAIL_FROM: 'desk@example.com' },
    'SMTP_URL is not accepted: an address like smtps://user:password@mail.example.com.',
  ],
  ...['nobody', 'a@example.com,b@example.com', 'A <a@b> <c@d>'].map((sender): [Record<string, string>, string] => [
    { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: sender },
    `MAIL_FROM=${sender} is not accepted: a mail address like desk@example.com or HengTai <desk@example.com>.`,
  ]),
  [
    { PORT: '65535', PROCESSES: '2' },
    'PORT=65535 and PROCESSES=2 are not accepted: the last of the ports must be at most 65535.',
  ],
  [
    { PORT: '8080', METRICS_PORT: '8081', PROCESSES: '2' },
    'METRICS_PORT=8081 with PORT=8080 and PROCESSES=2 is not accepted: each server needs two ports of its own.',
  ],
  [
    { METRICS_PORT: '65535', PROCESSES: '2' },
    'METRICS_PORT=65535 with PORT=8080 and PROCESSES=2 is not accepted: the last of the ports must be at most 65535.',
  ],
  [
    { SIMULATOR_FAIL: '0.5', SIMULATOR_UNKNOWN: '0.4', SIMULATOR_LATE: '0.2' },
    'SIMULATOR_FAIL=0.5, SIMULATOR_UNKNOWN=0.4 and SIMULATOR_LATE=0.2 are not accepted: together at most 1.',
  ],
  [{ DATABASE_APP_URL: 'postgres://a@h/d' }, 'DATABASE_APP_URL needs DATABASE_URL: set both or none.'],
])('rejects variables that contradict each other: %o', (source, problem) => {
  expect(problemsOf(source)).toEqual([problem]);
});

test('the default of SIMULATOR_LATE is reduced so that the shares add up to at most 1', () => {
  expect(problemsOf({ SIMULATOR_FAIL: '0.7', SIMULATOR_UNKNOWN: '0.3' })).toEqual([]);
});

describe('unknown variables', () => {
  test.each([
    ['PROCESS', 'PROCESSES'],
    ['PROCESES', 'PROCESSES'],
    ['SIMULATR_DAYS', 'SIMULATOR_DAYS'],
    ['SIMULATOR_DAY', 'SIMULATOR_DAYS'],
    ['ADMIN_PASSWROD', 'ADMIN_PASSWORD'],
    ['DATABASE_UR', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['OTP_KEYS', 'OTP_KEY'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['LOG_LEVELS', 'LOG_LEVEL'],
  ])('%s looks like %s', (name, intended) => {
    expect(findUnknownVariables({ [name]: '2' })).toEqual([
      `${name} is not a variable of HengTai; did you mean ${intended}?`,
    ]);
  });

  test('warns about any name with one of our prefixes, without its value', () => {
    expect(findUnknownVariables({ HENGTAI_TOKEN: 'abc' })).toEqual([
      'HENGTAI_TOKEN is not a variable of HengTai and has no effect.',
    ]);
  });

  test('ignores known variables, empty ones and those of other programs', () => {
    const others = ['HOSTNAME', 'PORTS', 'HOSTS', 'PATH', 'POR', 'HOME', 'PROCESSOR_LEVEL', 'NUMBER_OF_PROCESSORS'];
    const more = ['NODE_ENV', 'npm_config_loglevel', 'HTTP_PROXY', 'NO_PROXY', 'LOGNAME', 'DATA', 'PGDATABASE'];
    const known = ['PORT', 'SIMULATOR_DAYS', 'PLATFORM_URL', 'CONSOLE_PORT'];
    expect(findUnknownVariables(Object.fromEntries([...others, ...more, ...known].map((name) => [name, 'x'])))).toEqual(
      [],
    );
    expect(findUnknownVariables({ PROCESS: '' })).toEqual([]);
  });
});
