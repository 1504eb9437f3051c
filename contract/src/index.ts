import { agent } from './agent.ts';
import { alarm } from './alarm.ts';
import { announce } from './announce.ts';
import { approval } from './approval.ts';
import { asset } from './asset.ts';
import { audit } from './audit.ts';
import { binaryContract } from './binary-contract.ts';
import { command } from './command.ts';
import { config } from './config.ts';
import { exportJobs, withExports } from './export.ts';
import { follow } from './follow.ts';
import { future } from './future.ts';
import { home } from './home.ts';
import { ieo } from './ieo.ts';
import { installation } from './installation.ts';
import { internalTransfer } from './internal-transfer.ts';
import { kyc } from './kyc.ts';
import { ledgerEntry } from './ledger-entry.ts';
import { market } from './market.ts';
import { notify } from './notify.ts';
import { otp } from './otp.ts';
import { preference } from './preference.ts';
import { priceProtection } from './price-protection.ts';
import { recharge } from './recharge.ts';
import { report } from './report.ts';
import { search } from './search.ts';
import { session } from './session.ts';
import { signal } from './signal.ts';
import { spot } from './spot.ts';
import { support } from './support.ts';
import { user } from './user.ts';
import { view } from './view.ts';
import { withdraw } from './withdraw.ts';

/**
 * Every call of the product, by noun, with an export for each list that has columns. The keys are stored in audit rows and
 * approvals and are part of paths, so they stay when a module is renamed.
 */
export const nouns = withExports({
  session,
  home,
  agent,
  user,
  market,
  recharge,
  asset,
  withdraw,
  fund: ledgerEntry,
  internalTransfer,
  approval,
  audit,
  auth: kyc,
  config,
  announce,
  notify,
  installation,
  preference,
  view,
  otp,
  export: exportJobs,
  plan: priceProtection,
  trade: spot,
  ieo,
  second: binaryContract,
  signal,
  follow,
  future,
  service: support,
  report,
  search,
  alarm,
  command,
});
export type Noun = keyof typeof nouns;
