import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { type PolicyValue, largerValue } from '../../../actions/policy.store.ts';
import type { DecidedWithdraw } from './withdraw.rules.ts';

/** The value that policies count: now, or at the request if it was larger. */
export const decidedValue = ({ valuation, valueNow, pricedAt }: DecidedWithdraw): PolicyValue => ({
  amount: largerValue(valuation, valueNow),
  pricedAt,
});

/** The row as it is answered. */
export function withoutInternals(row: DecidedWithdraw): WithdrawRow {
  const {
    agentId: _agent,
    payoutHeldUntil: _until,
    platformId: _platform,
    listedNetworks: _networks,
    valueNow: _now,
    pricedAt: _at,
    ...rest
  } = row;
  return rest;
}
