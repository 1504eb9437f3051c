import { agentEndpoints } from './agent.schema.ts';
import { alarmEndpoints } from './alarm.schema.ts';
import { announceEndpoints } from './announce.schema.ts';
import { approvalEndpoints } from './approval.schema.ts';
import { assetEndpoints } from './asset.schema.ts';
import { auditEndpoints } from './audit.schema.ts';
import { binaryContractEndpoints } from './binary-contract.schema.ts';
import { commandEndpoints } from './command.schema.ts';
import { configEndpoints } from './config.schema.ts';
import { exportEndpoints, withExportEndpoints } from './export.schema.ts';
import { followEndpoints } from './follow.schema.ts';
import { futureEndpoints } from './future.schema.ts';
import { homeEndpoints } from './home.schema.ts';
import { ieoEndpoints } from './ieo.schema.ts';
import type { nouns } from './index.ts';
import { installationEndpoints } from './installation.schema.ts';
import { internalTransferEndpoints } from './internal-transfer.schema.ts';
import { kycEndpoints } from './kyc.schema.ts';
import { ledgerEntryEndpoints } from './ledger-entry.schema.ts';
import { marketEndpoints } from './market.schema.ts';
import { notifyEndpoints } from './notify.schema.ts';
import { otpEndpoints } from './otp.schema.ts';
import { preferenceEndpoints } from './preference.schema.ts';
import { priceProtectionEndpoints } from './price-protection.schema.ts';
import { rechargeEndpoints } from './recharge.schema.ts';
import { reportEndpoints } from './report.schema.ts';
import type { Endpoint } from './schema.ts';
import { searchEndpoints } from './search.schema.ts';
import { sessionEndpoints } from './session.schema.ts';
import { signalEndpoints } from './signal.schema.ts';
import { spotEndpoints } from './spot.schema.ts';
import { supportEndpoints } from './support.schema.ts';
import { userEndpoints } from './user.schema.ts';
import { viewEndpoints } from './view.schema.ts';
import { withdrawEndpoints } from './withdraw.schema.ts';

type EveryCall = { [N in keyof typeof nouns]: { [C in keyof (typeof nouns)[N]]: Endpoint } };

/** Every endpoint with its schemas, by noun. A call without schemas is a type error. */
export const endpoints = withExportEndpoints({
  session: sessionEndpoints,
  home: homeEndpoints,
  agent: agentEndpoints,
  user: userEndpoints,
  market: marketEndpoints,
  recharge: rechargeEndpoints,
  asset: assetEndpoints,
  withdraw: withdrawEndpoints,
  fund: ledgerEntryEndpoints,
  internalTransfer: internalTransferEndpoints,
  approval: approvalEndpoints,
  audit: auditEndpoints,
  auth: kycEndpoints,
  config: configEndpoints,
  announce: announceEndpoints,
  notify: notifyEndpoints,
  installation: installationEndpoints,
  preference: preferenceEndpoints,
  view: viewEndpoints,
  otp: otpEndpoints,
  export: exportEndpoints,
  plan: priceProtectionEndpoints,
  trade: spotEndpoints,
  ieo: ieoEndpoints,
  second: binaryContractEndpoints,
  signal: signalEndpoints,
  follow: followEndpoints,
  future: futureEndpoints,
  service: supportEndpoints,
  report: reportEndpoints,
  search: searchEndpoints,
  alarm: alarmEndpoints,
  command: commandEndpoints,
}) satisfies EveryCall;
