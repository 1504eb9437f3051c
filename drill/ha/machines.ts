import { chownSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Client } from 'pg';
import { waitForDatabase } from '../../server/src/programs/wait-for-database.ts';
import { type Account, type Program, Running, postgresAccount, waitUntil } from '../lib/process.ts';

const MACHINES = [1, 2, 3] as const;
export type Machine = (typeof MACHINES)[number];

/** Last digit of the port on loopback that stands for a port of a machine in deploy/ha. */
const PORTS: Readonly<Record<string, number>> = { 8008: 0, 5432: 1, 2379: 2, 2380: 3 };
export const PASSWORD = 'drill-password';

interface Member {
  name: string;
  role: string;
}

/**
 * The three PostgreSQL machines of deploy/ha, HAProxy and PgBouncer, on loopback. Their files are those of deploy/ha with
 * other addresses, folders and less memory.
 */
export class Machines {
  readonly directory: string;
  readonly #firstPort: number;
  readonly #account: Account = postgresAccount();
  readonly #running = new Map<string, Running>();

  constructor(directory: string, firstPort: number) {
    this.directory = directory;
    this.#firstPort = firstPort;
  }

  /** Port on loopback of a service of deploy/ha: 5000 and 5001 of HAProxy, 6432 of PgBouncer. */
  portOf(service: 5000 | 5001 | 6432): number {
    return this.#firstPort + { 5000: 1, 5001: 2, 6432: 3 }[service];
  }

  async startPostgres(): Promise<void> {
    for (const machine of MACHINES) this.#start(`etcd${machine}`, this.#etcd(machine));
    await this.#get('etcd1').wait(() => isOk(`http://127.0.0.1:${this.#port(1, '2379')}/health`));
    for (const machine of MACHINES) this.startPatroni(machine);
    await waitUntil(() => this.isHealthy(), 'the cluster has a primary and two standbys', 120);
  }

  startPatroni(machine: Machine): void {
    if (this.#running.get(`patroni${machine}`)?.hasEnded === false) return;
    const env = this.#environment('machine.env', machine);
    this.#start(`patroni${machine}`, {
      command: '/usr/bin/patroni',
      args: [this.#write('patroni.yml', machine)],
      env: {
        ...env,
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
        PATRONI_REWIND_PASSWORD: PASSWORD,
      },
      account: this.#account,
    });
  }

  async startProxies(users: Readonly<Record<string, string>>): Promise<void> {
    const list = Object.entries(users).map(([user, password]) => `"${user}" "${password}"\n`);
    writeFileSync(join(this.directory, 'userlist.txt'), list.join(''));
    this.#start('haproxy', { command: '/usr/sbin/haproxy', args: ['-db', '-f', this.#write('haproxy.cfg')] });
    this.#start('pgbouncer', {
      command: '/usr/sbin/pgbouncer',
      args: [this.#write('pgbouncer.ini')],
      account: this.#account,
    });
    const probe = `postgres://postgres:${PASSWORD}@127.0.0.1:${this.portOf(5000)}/postgres`;
    await waitForDatabase('HAProxy', probe, { report: () => undefined });
  }

  /** @throws Error while there is no primary */
  async findPrimary(): Promise<Machine> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader');
    const machine = MACHINES.find((one) => leader?.name === `pg${one}`);
    if (machine === undefined) throw new Error('The cluster has no primary.');
    return machine;
  }

  /** Whether both standbys replicate, and Patroni has chosen the synchronous one. */
  async isHealthy(): Promise<boolean> {
    const members = await this.#members().catch(() => []);
    const primary = MACHINES.find((one) => members.some(({ name, role }) => role === 'leader' && name === `pg${one}`));
    if (primary === undefined || !members.some(({ role }) => role === 'sync_standby')) return false;
    const port = this.#port(primary, '5432');
    const client = new Client({ connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ standbys: number }>(`select count(*)::int as standbys
        from pg_stat_replication where application_name ~ '^pg[1-3]$' and state = 'streaming'`);
      return rows[0]?.standbys === 2;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Kills the postmaster of a machine with SIGKILL, and its Patroni if wanted. */
  async kill(machine: Machine, withPatroni: boolean): Promise<void> {
    const postmaster = Number(readFileSync(join(this.#dataDirOf(machine), 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (withPatroni) await this.#get(`patroni${machine}`).end('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
  }

  async end(): Promise<void> {
    const ending = (name: string): Promise<void[]> =>
      Promise.all([...this.#running].filter(([key]) => key.startsWith(name)).map(([, one]) => one.end('SIGTERM')));
    await ending('pgbouncer');
    await ending('haproxy');
    for (const name of this.#running.keys())
      if (name.startsWith('patroni')) this.startPatroni(Number(name.at(-1)) as Machine);
    // Patroni stops its PostgreSQL.
    await ending('patroni');
    await ending('etcd');
  }

  async #members(): Promise<Member[]> {
    for (const machine of MACHINES) {
      const response = await fetch(`http://127.0.0.1:${this.#port(machine, '8008')}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (response) return ((await response.json()) as { members: Member[] }).members;
    }
    throw new Error('No Patroni answers.');
  }

  #etcd(machine: Machine): Omit<Program, 'log'> {
    return { command: '/usr/bin/etcd', args: [], env: this.#environment('etcd.env', machine), account: this.#account };
  }

  #start(name: string, program: Omit<Program, 'log'>): void {
    this.#running.set(name, new Running({ ...program, log: join(this.directory, `${name}.log`) }));
  }

  #get(name: string): Running {
    const found = this.#running.get(name);
    if (!found) throw new Error(`${name} was not started.`);
    return found;
  }

  #environment(file: string, machine: Machine): NodeJS.ProcessEnv {
    return parseEnv(readFileSync(this.#write(file, machine), 'utf8'));
  }

  #dataDirOf(machine: Machine): string {
    return join(this.directory, `pg${machine}`, 'hengtai');
  }

  #port(machine: number, port: string): number {
    return this.#firstPort + 10 * machine + (PORTS[port] ?? 9);
  }

  /** Writes a file of deploy/ha for a machine and returns its path. */
  #write(file: string, machine: Machine = 1): string {
    const home = join(this.directory, `pg${machine}`);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chownSync(home, this.#account.uid, this.#account.gid);
    const shipped = readFileSync(new URL(`../../deploy/ha/${file}`, import.meta.url), 'utf8');
    const text = (file.endsWith('.env') ? forMachine(shipped, machine) : shipped)
      .replace(/10\.0\.0\.1(\d):5432 check port 8008/g, (_all, n: string) => {
        return `127.0.0.1:${this.#port(Number(n), '5432')} check port ${this.#port(Number(n), '8008')}`;
      })
      .replace(/10\.0\.0\.1(\d):(\d+)/g, (_all, n: string, port: string) => `127.0.0.1:${this.#port(Number(n), port)}`)
      .replace(/\b(5000|5001|6432)$|\b5000\b/gm, (port) => String(this.portOf(Number(port) as 5000)))
      .replace(/\/var\/lib\/(postgresql\/15|postgresql|etcd)/g, home)
      .replace('hengtai\nETCD_LISTEN', 'etcd\nETCD_LISTEN')
      .replaceAll('/etc/pgbouncer', this.directory)
      .replace('/usr/lib/postgresql/15', `/usr/lib/postgresql/${newestPostgres()}`)
      .replace('shared_buffers: 2GB', 'shared_buffers: 128MB')
      .replace(/^hengtai = (.*)$/m, '$&\nshared = $1 pool_mode=transaction');
    const path = join(this.directory, `${machine}-${file}`);
    writeFileSync(path, text);
    return path;
  }
}

/** The variables of another machine: those that do not list all machines name the first in the file. */
function forMachine(text: string, machine: Machine): string {
  const replaceOwn = (line: string): string =>
    /_HOSTS=|_CLUSTER=/.test(line)
      ? line
      : line.replaceAll('10.0.0.11', `10.0.0.1${machine}`).replace('=pg1', `=pg${machine}`);
  return text.split('\n').map(replaceOwn).join('\n');
}

function newestPostgres(): number {
  return Math.max(...readdirSync('/usr/lib/postgresql').map(Number).filter(Number.isFinite));
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
