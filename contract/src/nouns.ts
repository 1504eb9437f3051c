/**
 * The calls of each noun. The names are stored in audit rows and approvals and are part of paths, so they stay when a
 * module is renamed.
 */
export { addressList } from './risk/address-list/calls.ts';
export { agent } from './people/agent/calls.ts';
export { alarm } from './house/alarm/calls.ts';
export { announce } from './desk/announce/calls.ts';
export { approval } from './desk/approval/calls.ts';
export { asset } from './funds/asset/calls.ts';
export { audit } from './house/audit/calls.ts';
export { autoPayout } from './risk/auto-payout/calls.ts';
export { binaryContract as second } from './trading/binary-contract/calls.ts';
export { channel } from './desk/channel/calls.ts';
export { command } from './house/command/calls.ts';
export { config } from './desk/config/calls.ts';
export { exportJobs as export } from './desk/export/calls.ts';
export { follow } from './trading/follow/calls.ts';
export { future } from './trading/future/calls.ts';
export { gatewayKey } from './house/gateway-key/calls.ts';
export { home } from './desk/home/calls.ts';
export { ieo } from './trading/ieo/calls.ts';
export { installation } from './desk/installation/calls.ts';
export { internalTransfer } from './funds/internal-transfer/calls.ts';
export { kyc as auth } from './risk/kyc/calls.ts';
export { ledgerEntry as fund } from './funds/ledger-entry/calls.ts';
export { market } from './trading/market/calls.ts';
export { notify } from './desk/notify/calls.ts';
export { oidc } from './house/oidc/calls.ts';
export { otp } from './house/otp/calls.ts';
export { passkey } from './house/passkey/calls.ts';
export { preference } from './desk/preference/calls.ts';
export { priceProtection as plan } from './risk/price-protection/calls.ts';
export { queue } from './desk/queue/calls.ts';
export { recharge } from './funds/recharge/calls.ts';
export { report } from './desk/report/calls.ts';
export { rule } from './risk/rule/calls.ts';
export { schedule } from './desk/schedule/calls.ts';
export { screening } from './risk/screening/calls.ts';
export { search } from './desk/search/calls.ts';
export { session } from './house/session/calls.ts';
export { signal } from './trading/signal/calls.ts';
export { signing } from './risk/signing/calls.ts';
export { spot as trade } from './trading/spot/calls.ts';
export { support as service } from './desk/support/calls.ts';
export { user } from './people/user/calls.ts';
export { view } from './desk/view/calls.ts';
export { withdrawLimit } from './risk/withdraw-limit/calls.ts';
export { withdraw } from './funds/withdraw/calls.ts';
