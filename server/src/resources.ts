import type { CallSpec } from '@hengtai/contract/endpoint';
import type { ExportSpec } from '@hengtai/contract/export';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { nouns } from '@hengtai/contract/index';
import { agentDel, agentParentChange } from './agent/agent-tree.service.ts';
import { agentRoutes } from './agent/agent.routes.ts';
import { agentOtpReset, agentPwdUpdate, agentState } from './agent/agent.service.ts';
import { alarmRoutes } from './alarm/alarm.routes.ts';
import { announceRoutes } from './announce/announce.routes.ts';
import { approvalRoutes } from './approval/approval.routes.ts';
import { fourEyesLock } from './approval/four-eyes.service.ts';
import { assetRoutes } from './asset/asset.routes.ts';
import { activeAdd, activeSub, frozenAdd, frozenSub } from './asset/asset.service.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { binaryContractConfigDel, binaryContractConfigSave } from './binary-contract/binary-contract-config.service.ts';
import { binaryContractRoutes } from './binary-contract/binary-contract.routes.ts';
import { binaryContractVoid } from './binary-contract/binary-contract.service.ts';
import { commandRoutes } from './command/command.routes.ts';
import { configRoutes } from './config/config.routes.ts';
import { configRestore, configSave } from './config/config.service.ts';
import { exportRoutes } from './export/export.routes.ts';
import { followRoutes } from './follow/follow.routes.ts';
import { followClose } from './follow/follow.service.ts';
import { futureRoutes } from './future/future.routes.ts';
import { futureCancel, futureClose } from './future/future.service.ts';
import { homeRoutes } from './home/home.routes.ts';
import type { RegisteredAction } from './http/action.ts';
import type { HandlerOf } from './http/handler.ts';
import { ieoRoutes } from './ieo/ieo.routes.ts';
import { ieoPass } from './ieo/ieo.service.ts';
import { installationRoutes } from './installation/installation.routes.ts';
import { internalTransferRoutes } from './internal-transfer/internal-transfer.routes.ts';
import { kycRoutes } from './kyc/kyc.routes.ts';
import { ledgerEntryRoutes } from './ledger-entry/ledger-entry.routes.ts';
import { marketRoutes } from './market/market.routes.ts';
import { marketSave } from './market/market.service.ts';
import { notifyRoutes } from './notify/notify.routes.ts';
import { otpRoutes } from './otp/otp.routes.ts';
import { preferenceRoutes } from './preference/preference.routes.ts';
import { priceProtectionRoutes } from './price-protection/price-protection.routes.ts';
import { priceProtectionPermit, priceProtectionSave } from './price-protection/price-protection.service.ts';
import { rechargeRoutes } from './recharge/recharge.routes.ts';
import { rechargeRelease } from './recharge/recharge.service.ts';
import { reportRoutes } from './report/report.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { sessionRoutes } from './session/session.routes.ts';
import { signalRoutes } from './signal/signal.routes.ts';
import { spotRoutes } from './spot/spot.routes.ts';
import { spotCancel, spotCancelAll } from './spot/spot.service.ts';
import { supportRoutes } from './support/support.routes.ts';
import { userToken } from './user/support-link.service.ts';
import { userSecond } from './user/user-switch.service.ts';
import { userRoutes } from './user/user.routes.ts';
import { userPassword } from './user/user.service.ts';
import { viewRoutes } from './view/view.routes.ts';
import { withdrawRoutes } from './withdraw/withdraw.routes.ts';
import { withdrawPass, withdrawRefund, withdrawResolve, withdrawRetry } from './withdraw/withdraw.service.ts';

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
