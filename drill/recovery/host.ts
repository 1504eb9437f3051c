import { cpSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, Running, postgresAccount, runProgram, waitUntil } from '../lib/process.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
/** Folder of the drill as its PostgreSQL sees it. */
const HOME = '/tmp/hengtai-recovery-drill';
export const PASSWORD = 'drill-password';

/**
 * A machine with PostgreSQL, the scripts of deploy/postgres and age. It is this machine, or a folder with a newer Debian
 * whose programs run by chroot.
 */
export class Host {
  readonly version: number;
  readonly #root: string;
  readonly #port: number;
  #postgres: Running | undefined;

  /** @param root folder of the other Debian, or the empty string */
  constructor(root: string, port: number) {
    this.#root = root;
    this.#port = port;
    this.version = Math.max(...readdirSync(join(root, '/usr/lib/postgresql')).map(Number).filter(Number.isFinite));
    rmSync(this.path(''), { recursive: true, force: true });
    this.run('mkdir', ['-m', '755', HOME]);
    cpSync(deploy, this.path('deploy'), { recursive: true });
  }

  get url(): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.#port}`;
  }

  /** Where a file of the drill is on this machine. */
  path(name: string): string {
    return join(this.#root, HOME, name);
  }

  /** The same file as PostgreSQL sees it. */
  inside(name: string): string {
    return `${HOME}/${name}`;
  }

  /** Makes a file eight days old. */
  age(name: string): void {
    const at = Date.now() / 1_000 - 8 * 86_400;
    utimesSync(this.path(name), at, at);
  }

  files(folder: string): string[] {
    return existsSync(this.path(folder)) ? readdirSync(this.path(folder)).toSorted() : [];
  }

  /** Runs a program as postgres in the folder of the drill. Paths in the arguments are those that PostgreSQL sees. */
  run(command: string, args: readonly string[]): string {
    const { account, ...program } = this.#program(command, args);
    return runProgram(program.command, program.args, { env: program.env ?? {}, ...(account && { account }) });
  }

  /** Runs a script of deploy/postgres. */
  script(name: string, ...args: string[]): string {
    return this.run(`${HOME}/deploy/postgres/${name}`, args).trim();
  }

  /** Creates a key of age and the variables of the backup, then a database server that archives. */
  async create(): Promise<void> {
    this.run('age-keygen', ['-o', `${HOME}/identity.txt`]);
    const recipient = this.run('age-keygen', ['-y', `${HOME}/identity.txt`]).trim();
    for (const folder of ['base', 'wal']) this.run('mkdir', [`${HOME}/${folder}`]);
    writeFileSync(
      this.path('backup.env'),
      `BASE_DIR=${HOME}/base\nWAL_DIR=${HOME}/wal\nBACKUP_RECIPIENT=${recipient}\nFULL_DAYS=7\nBASE_KEEP=\${BASE_KEEP:-4}\n`,
    );
    writeFileSync(this.path('password'), PASSWORD);
    this.run(this.#bin('initdb'), [
      '-D',
      `${HOME}/data`,
      '-k',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '-A',
      'scram-sha-256',
      `--pwfile=${HOME}/password`,
    ]);
    const settings = ['hengtai.conf', 'archive.conf', ...(this.version >= 17 ? ['incremental.conf'] : [])];
    this.run('sh', ['-c', `cd ${HOME}/deploy/postgres && cat ${settings.join(' ')} >> ${HOME}/data/postgresql.conf`]);
    this.run('sh', [
      '-c',
      `sed -i 's|/opt/hengtai/deploy|HENGTAI_BACKUP_ENV=${HOME}/backup.env ${HOME}/deploy|; s/2GB/128MB/' ${HOME}/data/postgresql.conf`,
    ]);
    await this.start('data');
  }

  /** Starts PostgreSQL on a data directory and waits until it accepts writes. */
  async start(data: string): Promise<void> {
    const args = [
      '-D',
      `${HOME}/${data}`,
      '-p',
      String(this.#port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${HOME}`,
    ];
    this.#postgres = new Running({ ...this.#program(this.#bin('postgres'), args), log: `${this.path(data)}.log` });
    await this.#postgres.wait(async () => this.#isPrimary(), 120);
  }

  async kill(): Promise<void> {
    await this.#postgres?.end('SIGKILL');
    // Its children end by themselves, and a new postmaster refuses to start before.
    const isFree = async (): Promise<boolean> => this.#psql('select 1') === undefined;
    await waitUntil(isFree, 'the killed PostgreSQL does not answer', 10);
  }

  async end(): Promise<void> {
    await this.#postgres?.end('SIGINT');
    rmSync(this.path(''), { recursive: true, force: true });
  }

  /** @throws Error with the output of psql */
  query(statement: string, database = 'postgres'): string {
    return this.run(this.#bin('psql'), ['-XAtqd', database, '-c', statement]).trim();
  }

  createDatabase(): void {
    this.script('create-database.sh');
  }

  /** Ends the current file of the write-ahead log, and waits until the archive has it. */
  async archive(): Promise<void> {
    const file = this.query('select pg_walfile_name(pg_switch_wal())');
    await waitUntil(async () => this.files('wal').includes(`${file}.age`), `${file} is archived`, 60);
  }

  #isPrimary(): boolean {
    return this.#psql('select not pg_is_in_recovery()') === 't';
  }

  #psql(statement: string): string | undefined {
    try {
      return this.query(statement);
    } catch {
      return undefined;
    }
  }

  #bin(name: string): string {
    return `/usr/lib/postgresql/${this.version}/bin/${name}`;
  }

  #program(command: string, args: readonly string[]): Omit<Program, 'log'> {
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HENGTAI_BACKUP_ENV: `${HOME}/backup.env`,
      AGE_IDENTITY: `${HOME}/identity.txt`,
      BASE_KEEP: process.env['BASE_KEEP'],
      OWNER_PASSWORD: PASSWORD,
      PGHOST: '127.0.0.1',
      PGPORT: String(this.#port),
      PGUSER: 'postgres',
      PGPASSWORD: PASSWORD,
    };
    if (this.#root === '') return { command, args, env, account: postgresAccount() };
    return { command: '/usr/sbin/chroot', args: ['--userspec=postgres:postgres', this.#root, command, ...args], env };
  }
}
