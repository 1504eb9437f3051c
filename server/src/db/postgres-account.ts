import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The operating-system user that PostgreSQL runs as; undefined means "the user who runs this process". */
export type RunAs = { uid: number; gid: number } | undefined;

/** The account of nobody else: the processes of any other could change PostgreSQL's files. */
export const POSTGRES_ACCOUNT = 'hengtai-postgres';

const MAKE_ACCOUNT = `useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ${POSTGRES_ACCOUNT}`;

/**
 * PostgreSQL refuses to run as root. It runs as the owner of the data; where that is root, or `nobody` as in earlier
 * releases, as an account of its own, which is made where it is missing.
 *
 * @throws Error that says how to make the account where this process cannot
 */
export function postgresAccount(dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const pgData = join(dataDir, 'postgres');
  const owner = statSync(existsSync(pgData) ? pgData : dataDir);
  const shared = owner.uid === 0 || owner.uid === accountOf('nobody')?.uid;
  // initdb wants a user with a name; a container's volume may belong to a bare number.
  if (!shared && (existsSync(pgData) || accountOf(String(owner.uid)))) return { uid: owner.uid, gid: owner.gid };
  return accountOf(POSTGRES_ACCOUNT) ?? makeAccount();
}

function makeAccount(): RunAs {
  const [program = '', ...args] = MAKE_ACCOUNT.split(' ');
  const made = spawnSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' } });
  // Another start may have been faster.
  const account = accountOf(POSTGRES_ACCOUNT);
  if (account && account.uid !== 0) return account;
  throw new Error(
    `PostgreSQL does not run as root, and its account could not be created (${made.error?.message ?? made.stderr.trim()}). ` +
      `Run "${MAKE_ACCOUNT}", or start as another user, or set DATABASE_URL. 无法创建 PostgreSQL 运行账号。`,
  );
}

function accountOf(name: string): RunAs {
  const id = (flag: string): number => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN);
  const account = { uid: id('-u'), gid: id('-g') };
  return Number.isInteger(account.uid) && Number.isInteger(account.gid) ? account : undefined;
}
