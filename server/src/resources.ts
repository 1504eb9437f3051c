import type { CallSpec } from '@hengtai/contract/endpoint';
import type { ExportSpec } from '@hengtai/contract/export';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { nouns } from '@hengtai/contract/index';
import { agentDel, agentParentChange } from './modules/agent/agent-tree.service.ts';
import { agentRoutes } from './modules/agent/agent.routes.ts';
import { agentOtpReset, agentPwdUpdate, agentState } from './modules/agent/agent.service.ts';
import { alarmRoutes } from './modules/alarm/alarm.routes.ts';
import { announceRoutes } from './modules/announce/announce.routes.ts';
import { approvalRoutes } from './modules/approval/approval.routes.ts';
import { fourEyesLock } from './modules/approval/four-eyes.service.ts';
import { assetRoutes } from './modules/asset/asset.routes.ts';
import { activeAdd, activeSub, frozenAdd, frozenSub } from './modules/asset/asset.service.ts';
import { auditRoutes } from './modules/audit/audit.routes.ts';
import {
  binaryContractConfigDel,
  binaryContractConfigSave,
} from './modules/binary-contract/binary-contract-config.service.ts';
import { binaryContractRoutes } from './modules/binary-contract/binary-contract.routes.ts';
import { binaryContractVoid } from './modules/binary-contract/binary-contract.service.ts';
import { commandRoutes } from './modules/command/command.routes.ts';
import { configRoutes } from './modules/config/config.routes.ts';
import { configRestore, configSave } from './modules/config/config.service.ts';
import { exportRoutes } from './modules/export/export.routes.ts';
import { followRoutes } from './modules/follow/follow.routes.ts';
import { followClose } from './modules/follow/follow.service.ts';
import { futureRoutes } from './modules/future/future.routes.ts';
import { futureCancel, futureClose } from './modules/future/future.service.ts';
import { homeRoutes } from './modules/home/home.routes.ts';
import type { RegisteredAction } from './actions/action.ts';
import type { HandlerOf } from './http/handler.ts';
import { ieoRoutes } from './modules/ieo/ieo.routes.ts';
import { ieoPass } from './modules/ieo/ieo.service.ts';
import { installationRoutes } from './modules/installation/installation.routes.ts';
import { internalTransferRoutes } from './modules/internal-transfer/internal-transfer.routes.ts';
import { kycRoutes } from './modules/kyc/kyc.routes.ts';
import { ledgerEntryRoutes } from './modules/ledger-entry/ledger-entry.routes.ts';
import { marketRoutes } from './modules/market/market.routes.ts';
import { marketSave } from './modules/market/market.service.ts';
import { notifyRoutes } from './modules/notify/notify.routes.ts';
import { otpRoutes } from './modules/otp/otp.routes.ts';
import { preferenceRoutes } from './modules/preference/preference.routes.ts';
import { priceProtectionRoutes } from './modules/price-protection/price-protection.routes.ts';
import { priceProtectionPermit, priceProtectionSave } from './modules/price-protection/price-protection.service.ts';
import { rechargeRoutes } from './modules/recharge/recharge.routes.ts';
import { rechargeRelease } from './modules/recharge/recharge.service.ts';
import { reportRoutes } from './modules/report/report.routes.ts';
import { searchRoutes } from './modules/search/search.routes.ts';
import { sessionRoutes } from './modules/session/session.routes.ts';
import { signalRoutes } from './modules/signal/signal.routes.ts';
import { spotRoutes } from './modules/spot/spot.routes.ts';
import { spotCancel, spotCancelAll } from './modules/spot/spot.service.ts';
import { supportRoutes } from './modules/support/support.routes.ts';
import { userToken } from './modules/user/support-link.service.ts';
import { userSecond } from './modules/user/user-switch.service.ts';
import { userRoutes } from './modules/user/user.routes.ts';
import { userPassword } from './modules/user/user.service.ts';
import { viewRoutes } from './modules/view/view.routes.ts';
import { withdrawRoutes } from './modules/withdraw/withdraw.routes.ts';
import { withdrawPass, withdrawRefund, withdrawResolve, withdrawRetry } from './modules/withdraw/withdraw.service.ts';

/**
 * The handlers of a noun's calls; a missing or mismatched handler is a type error. An export has no handler, because it
 * reads the rows of its list.
 */
export type HandlersOf<N extends keyof typeof endpoints> = {
  [
    C in keyof (typeof nouns)[N] as (typeof nouns)[N][C] extends ExportSpec ? never : C
  ]: (typeof nouns)[N][C] extends CallSpec ? HandlerOf<(typeof nouns)[N][C]> : never;
};

/** The actions that can need a checker, by the name that is stored in their approvals. */
export const approvableActions: ReadonlyMap<string, RegisteredAction<never, unknown>> = new Map(
  [
    withdrawPass,
    withdrawRetry,
    withdrawRefund,
    withdrawResolve,
    userSecond,
    agentDel,
    activeAdd,
    activeSub,
    frozenAdd,
    frozenSub,
    marketSave,
    priceProtectionSave,
    spotCancel,
    spotCancelAll,
    ieoPass,
    binaryContractVoid,
    binaryContractConfigSave,
    binaryContractConfigDel,
    followClose,
    futureCancel,
    futureClose,
    fourEyesLock,
    agentState,
    agentPwdUpdate,
    agentOtpReset,
    agentParentChange,
    userToken,
    userPassword,
    configSave,
    configRestore,
    priceProtectionPermit,
    rechargeRelease,
  ].map((action) => [action.name, action]),
);

export const resources: { [N in keyof typeof endpoints]: HandlersOf<N> } = {
  session: sessionRoutes,
  home: homeRoutes,
  agent: agentRoutes,
  user: userRoutes,
  market: marketRoutes,
  recharge: rechargeRoutes,
  withdraw: withdrawRoutes,
  fund: ledgerEntryRoutes,
  internalTransfer: internalTransferRoutes,
  approval: approvalRoutes(approvableActions),
  asset: assetRoutes,
  audit: auditRoutes,
  auth: kycRoutes,
  config: configRoutes,
  announce: announceRoutes,
  notify: notifyRoutes,
  installation: installationRoutes,
  preference: preferenceRoutes,
  view: viewRoutes(() => resources),
  otp: otpRoutes,
  export: exportRoutes,
  plan: priceProtectionRoutes,
  trade: spotRoutes,
  ieo: ieoRoutes,
  second: binaryContractRoutes,
  signal: signalRoutes,
  follow: followRoutes,
  future: futureRoutes,
  service: supportRoutes,
  report: reportRoutes,
  search: searchRoutes,
  alarm: alarmRoutes,
  command: commandRoutes,
};
