import type { EventType } from '@hengtai/contract/gateway';
import { inOrder } from '@hengtai/contract/in-order';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { RegisteredAction } from './actions/action.ts';
import type { AnswerHandlers, EventHandlers, PlatformHandlers } from './gateway/handlers.ts';
import type { AnyHandler } from './http/handler.ts';
import type { Job } from './jobs/job.ts';
import { refreshKeys } from './jobs/keys.ts';
import { sweep } from './jobs/sweep.ts';
import { compactCounters } from './lists/counters.ts';
import * as list from './module-list.ts';
import { reportConflict } from './modules/alarm/conflict.store.ts';
import { declareTickGuards } from './modules/market/tick.store.ts';
import type { Module, ModuleParts } from './modules/module.ts';
import type { ScreenedRecords } from './modules/screening/screening.rules.ts';
import type { SearchedTable } from './modules/search/search.store.ts';
import type { CredentialKind } from './modules/session/credential.rules.ts';
import type { UserChanges } from './modules/user/user-changes.rules.ts';
import type { LastOfUser } from './modules/user/user-detail.store.ts';
import type { UserTable } from './modules/user/user-move.store.ts';
import type { OpenProbe } from './modules/user/user-open.store.ts';
import { type PayoutDetailReaders, type PayoutStep, declarePayout } from './modules/withdraw/payout-step.rules.ts';
import { type DeclaredWaiting, declareWaiting } from './realtime/waiting.store.ts';

// Some modules need something of all others. They get these empty collections, which are filled below.

/** The handlers of all calls, by noun. */
export const handlers: Record<string, Record<string, AnyHandler>> = {};
/** The actions that can need a checker, by the name that is stored in their approvals. */
export const approvableActions = new Map<string, RegisteredAction<never, unknown>>();
const answers: AnswerHandlers = {};
const searchedTables: SearchedTable[] = [];
/** The tables of users' rows of all resources. */
export const userTables: UserTable[] = [];
const openProbes: OpenProbe[] = [];
const lastOfUser = {} as LastOfUser;
const userChanges: UserChanges[] = [];
/** The kinds of credentials besides the password. */
export const credentials: CredentialKind[] = [];
const screened = {} as ScreenedRecords;

const modules = {
  // Events prefetch rows, and searches find records, in this order. A login that gives both factors enters by the passkey.
  ...inOrder(list, [
    'user',
    'market',
    'withdraw',
    'recharge',
    'trade',
    'future',
    'second',
    'ieo',
    'follow',
    'passkey',
    'otp',
  ]),
  agent: list.agent(credentials),
  approval: list.approval(approvableActions),
  view: list.view(handlers),
  export: list.export(handlers),
  screening: list.screening(screened),
  search: list.search(searchedTables),
  session: list.session(credentials),
  oidc: list.oidc(credentials),
  passkey: list.passkey(credentials),
  user: list.user({ userTables, openProbes, lastOfUser, changes: userChanges }),
  command: list.command(answers),
} satisfies { [N in keyof typeof endpoints]: Module<N> };

type Modules = typeof modules;
type HandledEvent = { [N in keyof Modules]: Modules[N] extends { events: infer H } ? keyof H : never }[keyof Modules] &
  EventType;

const all = Object.entries<ModuleParts & { routes: Record<string, AnyHandler> }>(modules);

for (const [noun, { routes, answers: own, search, userTables: tables = [], openItems, ...module }] of all) {
  handlers[noun] = routes;
  Object.assign(answers, own);
  if (search) searchedTables.push(search);
  userTables.push(...tables);
  if (openItems) openProbes.push(openItems);
  if (module.credential) credentials.push(module.credential);
  if (module.userChanges) userChanges.push(module.userChanges);
  for (const handler of Object.values<AnyHandler>(routes)) {
    const action = 'each' in handler ? handler.each : handler;
    if ('perform' in action && (action.call.approvable !== undefined || action.guarded))
      approvableActions.set(action.name, action);
  }
}

type LastField = { [N in keyof Modules]: Modules[N] extends { lastOfUser: infer L } ? keyof L : never }[keyof Modules];

// A type error here names a field of a user's details that no module fills.
const lastRecords: LastOfUser = Object.assign({}, ...all.map(([, module]) => module.lastOfUser)) as Pick<
  LastOfUser,
  LastField
>;
Object.assign(lastOfUser, lastRecords);

type ScreenedType = { [N in keyof Modules]: Modules[N] extends { screened: infer S } ? keyof S : never }[keyof Modules];

// A type error here names a type of screened records that no module finds.
const screenedRecords: ScreenedRecords = Object.assign({}, ...all.map(([, module]) => module.screened)) as Pick<
  ScreenedRecords,
  ScreenedType
>;
Object.assign(screened, screenedRecords);

type WaitingKey = { [N in keyof Modules]: Modules[N] extends { waiting: infer W } ? keyof W : never }[keyof Modules];

// A type error here names a count that no module declares.
declareWaiting(Object.assign({}, ...all.map(([, { waiting }]) => waiting)) as Pick<DeclaredWaiting, WaitingKey>);

type PayoutNoun = { [N in keyof Modules]: Modules[N] extends { payout: PayoutStep } ? N : never }[keyof Modules];
type PayoutDetail = {
  [N in keyof Modules]: Modules[N] extends { payout: { details: infer D } } ? keyof D : never;
}[keyof Modules];

/** The steps in the order in which they judge a payout. A type error here names a module whose step has no place. */
export const payoutSteps: Record<PayoutNoun, PayoutStep> = {
  withdrawLimit: modules.withdrawLimit.payout,
  screening: modules.screening.payout,
  rule: modules.rule.payout,
  signing: modules.signing.payout,
  autoPayout: modules.autoPayout.payout,
};
const steps = Object.values(payoutSteps);

// A type error here names a detail of withdrawals that no step reads.
declarePayout(
  steps,
  Object.assign({}, ...steps.map(({ details }) => details)) as Pick<PayoutDetailReaders, PayoutDetail>,
);

declareTickGuards(all.flatMap(([, { guardTicks }]) => guardTicks ?? []));

const events = Object.assign({}, ...all.map(([, module]) => module.events)) as EventHandlers<HandledEvent>;

export const platform: PlatformHandlers = {
  // A type error here names an event that no module handles.
  events,
  prefetches: all.flatMap(([, { prefetch }]) => prefetch ?? []),
  answers,
  calls: all.flatMap(([, { platformCalls }]) => platformCalls ?? []),
  reportConflict,
};

export const jobs: readonly Job[] = [
  ...all.flatMap(([, module]) => module.jobs ?? []),
  // Readers include the deltas that this job compacts, so a longer pause costs no accuracy.
  { name: 'compact-counters', everyMs: 5_000, run: compactCounters },
  { name: 'keys', everyMs: 5_000, run: refreshKeys },
  { name: 'sweep', everyMs: 600_000, run: sweep },
];
