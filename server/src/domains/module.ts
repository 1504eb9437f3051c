import type { EventType } from '@hengtai/contract/gateway/gateway';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { AnswerHandlers, EventHandlers, PlatformCall, KeepRejected, Prefetch } from '../gateway/handlers.ts';
import type { HandlersOf } from '../http/handler.ts';
import type { Job } from '../jobs/job.ts';
import type { DeclaredWaiting } from '../realtime/waiting.store.ts';
import type { AuthorityLoss } from './people/agent/agent-tree.store.ts';
import type { FindInherited } from './trading/market/market-save.store.ts';
import type { TickGuard } from './trading/market/tick.store.ts';
import type { ScreenedRecords } from './risk/screening/screening.steps.ts';
import type { SearchedTable } from './desk/search/search.store.ts';
import type { CredentialKind } from './house/session/credential.steps.ts';
import type { UserChanges } from './people/user/user-changes.rules.ts';
import type { LastOfUser } from './people/user/user-detail.store.ts';
import type { UserTable } from './people/user/user-move.store.ts';
import type { OpenProbe } from './people/user/user-open.store.ts';
import type { PayoutStep } from './funds/withdraw/payout-step.store.ts';

/** What a resource adds to the server. `modules.ts` joins the modules of all resources. */
export interface Module<N extends keyof typeof endpoints> extends ModuleParts {
  /** The handler of each call; a missing or mismatched one is a type error. */
  routes: HandlersOf<N>;
}

/** What a module may have besides its routes. */
export interface ModuleParts {
  events?: Partial<EventHandlers<EventType>>;
  prefetch?: Prefetch;
  answers?: AnswerHandlers;
  keepRejected?: Partial<Record<EventType, KeepRejected>>;
  /** Calls of the platform besides events and commands. */
  platformCalls?: readonly PlatformCall[];
  search?: SearchedTable;
  jobs?: readonly Job[];
  /** What the module adds to payouts. `modules.ts` has their order. */
  payout?: PayoutStep;
  /** What operators prove who they are by, besides the password. */
  credential?: CredentialKind;
  /** Finders of records that are screened. */
  screened?: Partial<ScreenedRecords>;
  /** What inherits from the settings of a market. */
  findInherited?: FindInherited;
  /** What follows from lost authority of agents. */
  onAuthorityLoss?: AuthorityLoss;
  /** What ticks can halt. */
  guardTicks?: TickGuard;
  /** Tables of users' rows, which follow a user to another agent. */
  userTables?: readonly UserTable[];
  /** The last records of a user, in its details. */
  lastOfUser?: Partial<LastOfUser>;
  /** Records that wait for operators: counted in the bell, in queues and on the home page. */
  waiting?: Partial<DeclaredWaiting>;
  /** Records that prevent the deletion of their user. */
  openItems?: OpenProbe;
  /** What follows from changes of a user. */
  userChanges?: UserChanges;
}
