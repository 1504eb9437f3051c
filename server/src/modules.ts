import type { EventType } from '@hengtai/contract/gateway';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { RegisteredAction } from './actions/action.ts';
import type { AnswerHandlers, EventHandlers, PlatformHandlers } from './gateway/handlers.ts';
import type { AnyHandler } from './http/handler.ts';
import type { Job } from './jobs/job.ts';
import { sweep } from './jobs/sweep.ts';
import { compactCounters } from './lists/counters.ts';
import type { Module, ModuleParts } from './modules/module.ts';
import { agentModule } from './modules/agent/agent.module.ts';
import { alarmModule } from './modules/alarm/alarm.module.ts';
import { announceModule } from './modules/announce/announce.module.ts';
import { approvalModule } from './modules/approval/approval.module.ts';
import { assetModule } from './modules/asset/asset.module.ts';
import { auditModule } from './modules/audit/audit.module.ts';
import { binaryContractModule } from './modules/binary-contract/binary-contract.module.ts';
import { commandModule } from './modules/command/command.module.ts';
import { configModule } from './modules/config/config.module.ts';
import { exportModule } from './modules/export/export.module.ts';
import { followModule } from './modules/follow/follow.module.ts';
import { futureModule } from './modules/future/future.module.ts';
import { homeModule } from './modules/home/home.module.ts';
import { ieoModule } from './modules/ieo/ieo.module.ts';
import { installationModule } from './modules/installation/installation.module.ts';
import { internalTransferModule } from './modules/internal-transfer/internal-transfer.module.ts';
import { kycModule } from './modules/kyc/kyc.module.ts';
import { ledgerEntryModule } from './modules/ledger-entry/ledger-entry.module.ts';
import { marketModule } from './modules/market/market.module.ts';
import { notifyModule } from './modules/notify/notify.module.ts';
import { otpModule } from './modules/otp/otp.module.ts';
import { preferenceModule } from './modules/preference/preference.module.ts';
import { priceProtectionModule } from './modules/price-protection/price-protection.module.ts';
import { rechargeModule } from './modules/recharge/recharge.module.ts';
import { reportModule } from './modules/report/report.module.ts';
import type { SearchedTable } from './modules/search/search.store.ts';
import { searchModule } from './modules/search/search.module.ts';
import { sessionModule } from './modules/session/session.module.ts';
import { signalModule } from './modules/signal/signal.module.ts';
import { spotModule } from './modules/spot/spot.module.ts';
import { supportModule } from './modules/support/support.module.ts';
import { userModule } from './modules/user/user.module.ts';
import { viewModule } from './modules/view/view.module.ts';
import { withdrawModule } from './modules/withdraw/withdraw.module.ts';

// Some modules need something of all others. They get these empty collections, which are filled below.

/** The handlers of all calls, by noun. */
export const handlers: Record<string, Record<string, AnyHandler>> = {};
/** The actions that can need a checker, by the name that is stored in their approvals. */
export const approvableActions = new Map<string, RegisteredAction<never, unknown>>();
const answers: AnswerHandlers = {};
const searchedTables: SearchedTable[] = [];

/** Searches find the records in this order. */
const modules = {
  session: sessionModule,
  home: homeModule,
  agent: agentModule,
  user: userModule,
  market: marketModule,
  withdraw: withdrawModule,
  recharge: rechargeModule,
  trade: spotModule,
  future: futureModule,
  second: binaryContractModule,
  ieo: ieoModule,
  follow: followModule,
  internalTransfer: internalTransferModule,
  fund: ledgerEntryModule,
  approval: approvalModule(approvableActions),
  asset: assetModule,
  audit: auditModule,
  auth: kycModule,
  config: configModule,
  announce: announceModule,
  notify: notifyModule,
  installation: installationModule,
  preference: preferenceModule,
  view: viewModule(handlers),
  otp: otpModule,
  export: exportModule(handlers),
  plan: priceProtectionModule,
  signal: signalModule,
  service: supportModule,
  report: reportModule,
  search: searchModule(searchedTables),
  alarm: alarmModule,
  command: commandModule(answers),
} satisfies { [N in keyof typeof endpoints]: Module<N> };

type Modules = typeof modules;
type HandledEvent = { [N in keyof Modules]: Modules[N] extends { events: infer H } ? keyof H : never }[keyof Modules] &
  EventType;

const all = Object.entries<ModuleParts & { routes: Record<string, AnyHandler> }>(modules);

for (const [noun, { routes, answers: own, search }] of all) {
  handlers[noun] = routes;
  Object.assign(answers, own);
  if (search) searchedTables.push(search);
  for (const handler of Object.values<AnyHandler>(routes)) {
    const action = 'each' in handler ? handler.each : handler;
    if ('perform' in action && (action.call.approvable !== undefined || action.guarded))
      approvableActions.set(action.name, action);
  }
}

const events = Object.assign({}, ...all.map(([, module]) => module.events)) as EventHandlers<HandledEvent>;

export const platform: PlatformHandlers = {
  // A type error here names an event that no module handles.
  events,
  prefetches: all.flatMap(([, { prefetch }]) => prefetch ?? []),
  answers,
  calls: all.flatMap(([, { platformCalls }]) => platformCalls ?? []),
};

export const jobs: readonly Job[] = [
  ...all.flatMap(([, module]) => module.jobs ?? []),
  // Readers include the deltas that this job compacts, so a longer pause costs no accuracy.
  { name: 'compact-counters', everyMs: 5_000, run: compactCounters },
  { name: 'sweep', everyMs: 600_000, run: sweep },
];
