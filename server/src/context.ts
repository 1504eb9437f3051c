import type { Ability } from '@hengtai/contract/ability';
import type { Logger } from 'pino';
import type { AuditKey } from './audit/audit-key.ts';
import type { Clock } from './clock.ts';
import type { Db, Scope } from './db/connect.ts';
import type { Replica } from './db/replica.ts';
import type { OtpKey } from './otp/key.ts';

/** What one server process has for its whole life. */
export interface App {
  /** Connections of the system itself: sessions, jobs, the gateway. They see every row. */
  system: Db;
  /** Connections for operators' requests: they see nothing until a transaction says whose rows. */
  requests: Db;
  /** A copy of the database that lists are read from while it is close enough; absent where there is none. */
  replica?: Replica;
  clock: Clock;
  log: Logger;
  /** Where a copy of the signed heads of the audit chain is kept. */
  auditDir: string;
  auditKey: AuditKey;
  /** Writes a line to standard output. */
  printLine: (line: string) => void;
  /** Seals the secrets of one-time codes; it lies beside the database, never in it. */
  otpKey: OtpKey;
  /** Key and secret of the platform's program, and whether that program is the simulator. */
  platform: { key: string; secret: string; simulated: boolean };
  exports: ExportSettings;
}

/** How exports that are too long to be answered at once are made. */
export interface ExportSettings {
  /** Where the files lie; all server processes of a machine share it. */
  directory: string;
  /** The database as requests see it: a job reads on a connection of its own, for as long as it takes. */
  url: string;
  /** An export of more rows becomes a job. */
  jobRows: number;
  /** Rows of data on one sheet; the format's own limit where it is not given. */
  sheetRows?: number;
  /** A job writes at most so many rows a second, so that the database has time for everybody else. */
  rowsPerSecond: number;
}

export interface Operator {
  id: number;
  account: string;
  /** The top-level admin: every ability, every row. */
  top: boolean;
  abilities: readonly number[];
}

/** What the operator's one-time codes and password have to do with what it asks. */
export interface Codes {
  /** It has set them up. */
  on: boolean;
  /** A policy demands them, and it has not: nothing but setting them up is answered. */
  due: boolean;
  /** Somebody else set the password: nothing but changing it is answered. */
  passwordDue: boolean;
  /** A policy refuses grave actions to those who have none. */
  demanded: boolean;
  /** When one was last given in this session. */
  freshAt: number | null;
}

/** What a caller's authority is read by, once more inside the transaction of its action. */
export interface Credential {
  tokenHash: string;
  /** Version of the tree that the scope was read from. */
  treeVersion: string;
}

/** Who asks, from where, and what that one may see; an action gets one that was read inside its transaction. */
export interface Caller {
  operator: Operator;
  scope: Scope;
  sessionId: number | null;
  codes: Codes;
  requestId: string;
  ip: string;
  userAgent: string;
  /** Unix milliseconds; one moment for the whole request, and for an action one after its locks. */
  now: number;
  /** Milliseconds by which a test has moved the clock. */
  clockOffset?: number | undefined;
  /** Absent where no request asks. */
  credential?: Credential | undefined;
  /** How far the database had written when the request came; known only where lists are read from a replica. */
  position?: string | undefined;
}

/** A caller inside the transaction that does what it asked. */
export interface Ctx extends Caller {
  db: Db;
}

export const can = (operator: Operator, ability: Ability): boolean =>
  operator.top || operator.abilities.includes(ability);
