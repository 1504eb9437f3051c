import type { Ability } from '@hengtai/contract/authority/ability';
import type { Logger } from 'pino';
import type { AuditKey } from '../host/audit-key.ts';
import type { Clock } from '../host/clock.ts';
import type { Db, Scope } from '../database/connect.ts';
import type { Replica } from '../database/replica.ts';
import type { SecretKeyring } from '../host/secret-key.ts';
import type { PlatformKeys } from '../host/platform-key.ts';
import type { RelyingParty, SigningPage } from '../host/relying-party.ts';
import type { OidcSettings } from '../host/oidc-settings.ts';
import type { ProcessState } from './process-state.ts';

/** The dependencies of one server process, created at its start. */
export interface App {
  /** Pool of the system itself: sessions, jobs, the gateway. It sees every row. */
  system: Db;
  /** Pool for operators' requests. It sees no row until a transaction sets its scope. */
  requests: Db;
  /** A streaming replica that lists are read from while its lag is small; undefined if none is configured. */
  replica?: Replica;
  clock: Clock;
  log: Logger;
  /** Folder of the copy of the signed heads of the audit chain. */
  auditDir: string;
  auditKey: AuditKey;
  /** Writes a line to standard output. */
  printLine: (line: string) => void;
  /** Encrypts the secrets of one-time codes; never stored in the database. */
  secretKeys: SecretKeyring;
  /** The address that passkeys belong to; undefined if browsers allow none at the console's address. */
  relyingParty: RelyingParty | undefined;
  /** Where payouts are signed; undefined if browsers allow no passkeys there. */
  signingPage: SigningPage | undefined;
  /** The identity provider that operators may log in with. */
  oidc?: OidcSettings | undefined;
  /** Keys of the platform's program, and whether that program is the simulator. */
  platform: PlatformKeys & { simulated: boolean };
  /** URL to which commands are pushed; undefined: the platform polls. */
  platformWebhook?: string | undefined;
  /** Reads the key files again, so that a rotation needs no restart. */
  reloadKeys: () => void;
  exports: ExportSettings;
  channels: ChannelSettings;
  /** Hosts that one person may link to in announcements while four-eyes are locked. */
  announceHosts: readonly string[];
  /** What the process knows about itself: metrics, jobs, locks. */
  state: ProcessState;
}

/** Settings of exports; long ones run as background jobs. */
export interface ExportSettings {
  /** Folder of the files; all server processes of a machine share it. */
  directory: string;
  /** URL of the database for the app role. Each job opens its own connection, which has no statement timeout. */
  url: string;
  /** An export of more rows becomes a job. */
  jobRows: number;
  /** Maximum data rows per sheet; defaults to the limit of the format. */
  sheetRows?: number;
  /** Maximum rows per second of a job, so that requests are not slowed down. */
  rowsPerSecond: number;
}

/** Settings of notifications that are sent to operators outside the console. */
export interface ChannelSettings {
  /** Address of the console for links, without a trailing slash; undefined: messages have no link. */
  publicUrl: string | undefined;
  /** Hosts of webhooks, and domains of mail addresses, that operators may enter. */
  hosts: readonly string[];
  /** Whether requests may go to private addresses, and to them by plain HTTP. */
  allowPrivate: boolean;
  smtp: { url: string; from: string } | undefined;
  /** Token of the bot, and the address of the Bot API. */
  telegram: { token: string; url: string } | undefined;
}

export interface Operator {
  id: number;
  account: string;
  /** The top-level admin: every ability, every row. */
  top: boolean;
  abilities: readonly number[];
}

/** State of the operator's second factor and password. */
export interface FactorState {
  /** The operator has a second factor: one-time codes or a passkey. */
  hasFactor: boolean;
  /** The operator has a passkey for the present address. */
  hasPasskey: boolean;
  /** The operator has one-time codes, and no policy requires its passkey instead. */
  acceptsCode: boolean;
  /** A policy requires a second factor and the operator has none: every call except its setup is refused. */
  isSetupDue: boolean;
  /** A policy requires a passkey and the operator has none for the present address. */
  isPasskeyDue: boolean;
  /** Another operator set the password: every call except changing it is refused. */
  isPasswordDue: boolean;
  /** Sensitive actions are refused without a second factor: by a policy, or because the identity provider opened the session. */
  isFactorRequired: boolean;
  /** Unix milliseconds of the last code entered in this session. */
  freshAt: number | null;
}

/** For callers without a session, such as jobs. */
export const NO_FACTORS: FactorState = {
  hasFactor: false,
  hasPasskey: false,
  acceptsCode: false,
  isSetupDue: false,
  isPasskeyDue: false,
  isPasswordDue: false,
  isFactorRequired: false,
  freshAt: null,
};

/** The session of a caller, so that an action can read the caller's authority again inside its transaction. */
export interface Credential {
  tokenHash: string;
  /** Version of the agent tree that the scope was read from. */
  treeVersion: string;
}

/** The operator of a request, its origin and its scope. An action gets a caller that was read inside its transaction. */
export interface Caller {
  operator: Operator;
  scope: Scope;
  /** The abilities to which the identity provider limits the session; `operator` and `scope` are limited already. */
  allowedAbilities?: readonly number[] | null;
  sessionId: number | null;
  factors: FactorState;
  requestId: string;
  ip: string;
  userAgent: string;
  /** Unix milliseconds. Constant for a request; an action reads it again after it has its locks. */
  now: number;
  /** Milliseconds by which a test has moved the clock. */
  clockOffset?: number | undefined;
  /** Undefined for callers without a request, such as jobs. */
  credential?: Credential | undefined;
  /** Digest of the call, by which a passkey confirms it; undefined if the call needs no fresh factor. */
  digest?: string | undefined;
  /** Name of the call of the contract; undefined for callers without a request. */
  call?: string;
  /** The primary's WAL position when the request arrived; set only if a replica is configured. */
  position?: string | undefined;
}

/** A caller together with the transaction of its call. */
export interface Ctx extends Caller {
  db: Db;
}

/** The context of an action, which may need a key or a setting of the process. */
export interface ActionCtx extends Ctx {
  app: App;
}

export const can = (operator: Operator, ability: Ability): boolean =>
  operator.top || operator.abilities.includes(ability);
