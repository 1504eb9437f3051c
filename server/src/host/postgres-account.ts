import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The operating-system user that PostgreSQL runs as; undefined: the user of this process. */
export type RunAs = { uid: number; gid: number } | undefined;

/** A dedicated account, because processes of the same account can change PostgreSQL's files. */
export const POSTGRES_ACCOUNT = 'hengtai-postgres';

const CREATE_ACCOUNT = `useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ${POSTGRES_ACCOUNT}`;

/**
 * Finds the account for PostgreSQL, which refuses to run as root: the owner of the data, or a dedicated account if the
 * data belongs to root or, as in earlier releases, to `nobody`. Creates that account if it is missing.
 *
 * @throws Error with the command to run if this process cannot create the account
 */
export function resolvePostgresAccount(dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const pgData = join(dataDir, 'postgres');
  const owner = statSync(existsSync(pgData) ? pgData : dataDir);
  const shared = owner.uid === 0 || owner.uid === findAccount('nobody')?.uid;
  // initdb needs a user with a name, but a container's volume may belong to an id without one.
  if (!shared && (existsSync(pgData) || findAccount(String(owner.uid)))) return { uid: owner.uid, gid: owner.gid };
  return findAccount(POSTGRES_ACCOUNT) ?? createAccount();
}

function createAccount(): RunAs {
  const [program = '', ...args] = CREATE_ACCOUNT.split(' ');
  const result = spawnSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' } });
  // A concurrent start may have created the account, so the exit code does not matter.
  const account = findAccount(POSTGRES_ACCOUNT);
  if (account && account.uid !== 0) return account;
  throw new Error(
    `PostgreSQL does not run as root, and its account could not be created (${result.error?.message ?? result.stderr.trim()}). ` +
      `Run "${CREATE_ACCOUNT}", or start as another user, or set DATABASE_URL. 无法创建 PostgreSQL 运行账号。`,
  );
}

function findAccount(name: string): RunAs {
  const id = (flag: string): number => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN);
  const account = { uid: id('-u'), gid: id('-g') };
  return Number.isInteger(account.uid) && Number.isInteger(account.gid) ? account : undefined;
}
