/**
 * The calls of each noun. The names are stored in audit rows and approvals and are part of paths, so they stay when a
 * module is renamed.
 */
export { addressList } from './address-list.ts';
export { agent } from './agent.ts';
export { alarm } from './alarm.ts';
export { announce } from './announce.ts';
export { approval } from './approval.ts';
export { asset } from './asset.ts';
export { audit } from './audit.ts';
export { autoPayout } from './auto-payout.ts';
export { binaryContract as second } from './binary-contract.ts';
export { channel } from './channel.ts';
export { command } from './command.ts';
export { config } from './config.ts';
export { exportJobs as export } from './export.ts';
export { follow } from './follow.ts';
export { future } from './future.ts';
export { gatewayKey } from './gateway-key.ts';
export { home } from './home.ts';
export { ieo } from './ieo.ts';
export { installation } from './installation.ts';
export { internalTransfer } from './internal-transfer.ts';
export { kyc as auth } from './kyc.ts';
export { ledgerEntry as fund } from './ledger-entry.ts';
export { market } from './market.ts';
export { notify } from './notify.ts';
export { oidc } from './oidc.ts';
export { otp } from './otp.ts';
export { passkey } from './passkey.ts';
export { preference } from './preference.ts';
export { priceProtection as plan } from './price-protection.ts';
export { queue } from './queue.ts';
export { recharge } from './recharge.ts';
export { report } from './report.ts';
export { rule } from './rule.ts';
export { schedule } from './schedule.ts';
export { screening } from './screening.ts';
export { search } from './search.ts';
export { session } from './session.ts';
export { signal } from './signal.ts';
export { signing } from './signing.ts';
export { spot as trade } from './spot.ts';
export { support as service } from './support.ts';
export { user } from './user.ts';
export { view } from './view.ts';
export { withdrawLimit } from './withdraw-limit.ts';
export { withdraw } from './withdraw.ts';
