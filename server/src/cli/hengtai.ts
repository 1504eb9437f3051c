import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../host/configuration-error.ts';
import { findUnknownVariables } from '../programs/env-names.ts';
import { readEnv } from '../programs/env.ts';
import { EXIT, writeError, writeLine } from './exit.ts';
import { describeFileError } from './file-error.ts';
import { onDatabase, onNewDatabase } from './on-database.ts';
import { productVersion } from '../host/version.ts';

// The command line of an installation. Each command loads only what it needs.

const CODES = `
Exit codes: 0 done, 1 refused or failed (verify: something differs), 2 wrong arguments (verify: could not check),
3 audit chain not anchored, 78 a variable, a file or a version must be corrected first.`;

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d{1,4}$/.test(text) && minutes >= 1 && minutes <= 1440) return minutes;
  throw new InvalidArgumentError('It must be a whole number from 1 to 1440.');
}

const collect = (value: string, list: string[] = []): string[] => [...list, value];

/** Runs a command, whose failure ends with `failed`. */
async function end(work: Promise<number | void>, failed: number = EXIT.refused): Promise<void> {
  try {
    process.exitCode = (await work) ?? EXIT.done;
  } catch (error) {
    writeError(describeFileError(error) ?? (error instanceof Error ? error.message : String(error)));
    process.exitCode = error instanceof ConfigurationError ? EXIT.configuration : failed;
  }
}

const program = new Command('hengtai')
  .description('衡台 HengTai: runs and maintains an installation. Variables: docs/configuration.md')
  .version(productVersion(), '--version', 'print the version')
  .addHelpText('after', CODES)
  .helpCommand(false)
  .exitOverride();

program
  .command('start')
  .description('start PostgreSQL (unless DATABASE_URL is set), the servers and the simulator, until SIGTERM')
  .action(() => end(start()));

program
  .command('doctor')
  .description('check environment, files, ports, database, clock and backups, and say what to do')
  .option('--json', 'print the findings as JSON')
  .action((options: { json?: boolean }) => end(import('./doctor.ts').then(({ doctor }) => doctor(options))));

program
  .command('migrate')
  .description('bring the schema of the database to this release')
  .option('--plan', 'only list what would be applied, and who is connected')
  .action(({ plan = false }: { plan?: boolean }) =>
    end(
      onNewDatabase('owner', async (url) => {
        const commands = await import('./migrate.ts');
        await (plan ? commands.planMigration(url) : commands.runMigration(url));
      }),
    ),
  );

program
  .command('backup')
  .description('copy database, keys and signed heads into a folder; the servers may be running')
  .argument('[folder]', 'default: backups/<time>')
  .action((folder?: string) =>
    end(onDatabase('owner', async (url, env) => (await import('./backup.ts')).backUp(url, env, folder))),
  );

program
  .command('restore')
  .description('restore a backup into an empty DATA_DIR or DATABASE_URL, and verify it')
  .argument('<folder>', 'folder of a backup')
  .action((folder: string) =>
    end(onNewDatabase('owner', async (url, env) => (await import('./backup.ts')).restore(url, env, folder))),
  );

const verify = program
  .command('verify')
  .description('verify audit chain, holds, counters and binary contracts')
  .action(() => end(verifyAll(), EXIT.failed));

verify
  .command('audit')
  .description('verify the audit chain, and name the first bad row')
  .option('--key <key>', 'fingerprint of the audit key, or the public key in base64; may be repeated', collect)
  .option('--heads <file>', 'file with copies of signed heads; may be repeated', collect)
  .option('--export <file>', 'also write the chain to a file for scripts/verify-audit.mjs')
  .action((options: { key?: string[]; heads?: string[]; export?: string }) =>
    end(
      onDatabase('server', async (url, env) => (await import('./verify-audit.ts')).verifyAudit(url, env, options)),
      EXIT.failed,
    ),
  );

verify
  .command('holds')
  .description('compare every frozen balance with the open records that own it')
  .option('--release-dust', 'first correct rounding errors of ended records')
  .action((options: { releaseDust?: boolean }) =>
    end(
      onDatabase('server', async (url) => (await import('./verify-holds.ts')).verifyHolds(url, options)),
      EXIT.failed,
    ),
  );

verify
  .command('counters')
  .description('compare the counters of the lists with the rows')
  .option('--rebuild', 'first recompute them')
  .action((options: { rebuild?: boolean }) =>
    end(
      onDatabase('owner', async (url) => (await import('./verify-counters.ts')).verifyCounters(url, options)),
      EXIT.failed,
    ),
  );

verify
  .command('contracts')
  .description('recompute every ended binary contract from the recorded ticks')
  .action(() =>
    end(
      onDatabase('server', async (url) => (await import('./verify-binary-contracts.ts')).verifyBinaryContracts(url)),
      EXIT.failed,
    ),
  );

const operator = program.command('operator').description('operators that nobody above can help');
operator
  .command('reset')
  .description('print a new password of an operator and turn its one-time codes off')
  .argument('<account>')
  .action((account: string) =>
    end(onDatabase('server', async (url) => (await import('./operator-reset.ts')).resetOperator(url, account))),
  );

operator
  .command('allow-password')
  .description('let an operator linked to the identity provider log in with its password for a time')
  .argument('<account>')
  .addOption(new Option('--minutes <number>', 'from 1 to 1440').default(60).argParser(parseMinutes))
  .action((account: string, { minutes }: { minutes: number }) =>
    end(
      onDatabase('server', async (url, env) =>
        (await import('./operator-login.ts')).allowPasswordLogin(url, env, account, minutes),
      ),
    ),
  );
operator
  .command('link')
  .description('link an operator to its account at the identity provider, or remove the link')
  .argument('<account>')
  .argument('[subject]', 'claim sub of the account there; without it the link is removed')
  .action((account: string, subject?: string) =>
    end(
      onDatabase('server', async (url, env) =>
        (await import('./operator-login.ts')).linkOperator(url, env, account, subject),
      ),
    ),
  );

const fourEyes = program.command('four-eyes').description('override locked four-eyes; every approver is notified');
fourEyes
  .command('unlock')
  .description('go back to the open mode')
  .action(() => end(onDatabase('owner', async (url) => (await import('./four-eyes.ts')).unlock(url))));
fourEyes
  .command('appoint')
  .description('make an operator an approver while fewer than two are effective')
  .argument('<account>')
  .action((account: string) =>
    end(onDatabase('owner', async (url) => (await import('./four-eyes.ts')).appoint(url, account))),
  );

program
  .command('signing')
  .description('the roster of people who sign payouts; every approver is notified')
  .command('reset')
  .description('close the roster and all mandates; payouts stop until a new first roster is signed')
  .action(() => end(onDatabase('owner', async (url) => (await import('./signing.ts')).resetSigning(url))));

const kinds = ['otp', 'audit', 'platform'] as const;
const keys = program
  .command('keys')
  .description('list the keys of one-time codes, audit chain and gateway, their age and use')
  .action(() => end(onDatabase('owner', async (url, env) => (await import('./keys.ts')).listKeys(url, env))));
keys
  .command('add')
  .description('add a new key to its file in DATA_DIR; nothing uses it yet')
  .addArgument(new Argument('<kind>').choices(kinds))
  .action((kind: (typeof kinds)[number]) =>
    end(import('./keys.ts').then(({ addKey }) => addKey(kind, readEnv(process.env)))),
  );
keys
  .command('rotate')
  .description('use the new key: encrypt the secrets of one-time codes again, or hand the audit chain over')
  .addArgument(new Argument('<kind>').choices(['otp', 'audit']))
  .action((kind: 'otp' | 'audit') =>
    end(onDatabase('owner', async (url, env) => (await import('./keys.ts')).rotateKey(url, env, kind))),
  );
keys
  .command('remove')
  .description('remove the previous key once nothing uses it')
  .addArgument(new Argument('<kind>').choices(kinds))
  .option('--force', 'of the gateway: also while the platform uses it, because somebody else has it')
  .action((kind: (typeof kinds)[number], options: { force?: boolean }) =>
    end(onDatabase('owner', async (url, env) => (await import('./keys.ts')).removeKey(url, env, kind, options))),
  );

program
  .command('support-bundle')
  .description('write a file for support: versions, settings, sizes and states, no personal data')
  .argument('[file]', 'default: hengtai-support-<time>.json')
  .action((file?: string) =>
    end(import('./support-bundle.ts').then(({ writeSupportBundle }) => writeSupportBundle(file))),
  );

program
  .command('version')
  .description('print the versions of HengTai and Node.js, and the digest of the signing page')
  .action(() => end(printVersions()));

async function printVersions(): Promise<void> {
  writeLine(`hengtai ${productVersion()} (Node.js ${process.versions.node})`);
  const { consoleDirectory } = await import('../programs/console-directory.ts');
  const { SIGNING_DOCUMENT, readSigningSums } = await import('./signing-page.ts');
  const sum = readSigningSums(consoleDirectory())?.get(SIGNING_DOCUMENT);
  writeLine(sum === undefined ? 'signing page: not built' : `signing page SHA-256 ${sum}`);
}

async function start(): Promise<void> {
  const env = readEnv(process.env);
  for (const warning of findUnknownVariables(process.env)) writeError(warning);
  const { supervise } = await import('../supervisor/supervise.ts');
  await supervise(env);
}

/** Runs every check, also after one has failed. */
async function verifyAll(): Promise<number> {
  const [audit, holds, counters, contracts] = await Promise.all([
    import('./verify-audit.ts'),
    import('./verify-holds.ts'),
    import('./verify-counters.ts'),
    import('./verify-binary-contracts.ts'),
  ]);
  const codes = [
    await onDatabase('server', async (url, env) => {
      const own = [
        await audit.verifyAudit(url, env, {}),
        await holds.verifyHolds(url, {}),
        await contracts.verifyBinaryContracts(url),
      ];
      return Math.max(...own);
    }),
    await onDatabase('owner', (url) => counters.verifyCounters(url, {})),
  ];
  return Math.max(...codes);
}

for (const command of [program, verify, operator, fourEyes, keys])
  command.showHelpAfterError('(hengtai --help lists the commands)');
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help and version end this way as well. Called without a command, the help is an answer to a mistake.
  process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.failed;
}
