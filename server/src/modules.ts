import type { EventType } from '@hengtai/contract/gateway/gateway';
import { inOrder } from '@hengtai/contract/wire/in-order';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { RegisteredAction } from './actions/action.ts';
import type { AnswerHandlers, EventHandlers, PlatformHandlers } from './gateway/handlers.ts';
import type { AnyHandler } from './http/handler.ts';
import type { Job } from './jobs/job.ts';
import { refreshKeys } from './jobs/keys.ts';
import { sweep } from './jobs/sweep.ts';
import { compactCounters } from './books/lists/counters.ts';
import * as list from './module-list.ts';
import { reportConflict } from './domains/house/alarm/conflict.store.ts';
import { authorityLosses } from './domains/people/agent/agent-tree.store.ts';
import { inheritedLines } from './domains/trading/market/market-save.store.ts';
import { tickGuards } from './domains/trading/market/tick.store.ts';
import type { Module, ModuleParts } from './domains/module.ts';
import type { SearchedTable } from './domains/desk/search/search.store.ts';
import type { LastOfUser } from './domains/people/user/user-detail.store.ts';
import type { UserTable } from './domains/people/user/user-move.store.ts';
import type { OpenProbe } from './domains/people/user/user-open.store.ts';
import {
  type PayoutDetailReaders,
  type PayoutStep,
  payoutDetails,
  payoutSteps,
} from './domains/funds/withdraw/payout-step.store.ts';
import { type DeclaredWaiting, declaredWaiting } from './realtime/waiting.store.ts';

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
const userChanges: NonNullable<ModuleParts['userChanges']>[] = [];
/** The kinds of credentials besides the password. */
export const credentials: NonNullable<ModuleParts['credential']>[] = [];
type ScreenedRecords = Required<NonNullable<ModuleParts['screened']>>;
const screened = {} as ScreenedRecords;

const modules = {
  // Events prefetch rows, and searches find records, in this order. A login with both factors uses the passkey.
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
declaredWaiting.set(Object.assign({}, ...all.map(([, { waiting }]) => waiting)) as Pick<DeclaredWaiting, WaitingKey>);

type PayoutNoun = { [N in keyof Modules]: Modules[N] extends { payout: PayoutStep } ? N : never }[keyof Modules];
type PayoutDetail = {
  [N in keyof Modules]: Modules[N] extends { payout: { details: infer D } } ? keyof D : never;
}[keyof Modules];

/** In the order in which the steps judge a payout. A type error here names a module whose step has no place. */
export const payoutOrder: Record<PayoutNoun, PayoutStep> = {
  withdrawLimit: modules.withdrawLimit.payout,
  recharge: modules.recharge.payout,
  screening: modules.screening.payout,
  rule: modules.rule.payout,
  signing: modules.signing.payout,
  autoPayout: modules.autoPayout.payout,
};
const steps = Object.values(payoutOrder);
payoutSteps.set(steps);
// A type error here names a detail of withdrawals that no step reads.
payoutDetails.set(Object.assign({}, ...steps.map(({ details }) => details)) as Pick<PayoutDetailReaders, PayoutDetail>);

tickGuards.set(all.flatMap(([, { guardTicks }]) => guardTicks ?? []));
authorityLosses.set(all.flatMap(([, { onAuthorityLoss }]) => onAuthorityLoss ?? []));
inheritedLines.set(all.flatMap(([, { findInherited }]) => findInherited ?? []));

const events = Object.assign({}, ...all.map(([, module]) => module.events)) as EventHandlers<HandledEvent>;

export const platform: PlatformHandlers = {
  // A type error here names an event that no module handles.
  events,
  prefetches: all.flatMap(([, { prefetch }]) => prefetch ?? []),
  answers,
  calls: all.flatMap(([, { platformCalls }]) => platformCalls ?? []),
  keepRejected: new Map(all.flatMap(([, { keepRejected = {} }]) => Object.entries(keepRejected))),
  reportConflict,
};

export const jobs: readonly Job[] = [
  ...all.flatMap(([, module]) => module.jobs ?? []),
  // Readers include the deltas that this job compacts, so a longer pause costs no accuracy.
  { name: 'compact-counters', everyMs: 5_000, run: compactCounters },
  { name: 'keys', everyMs: 5_000, run: refreshKeys },
  { name: 'sweep', everyMs: 600_000, run: sweep },
];
