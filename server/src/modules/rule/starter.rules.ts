import type { Condition, RuleActions, RuleContent } from '@hengtai/contract/rule.schema';
import { withdrawRisks } from '@hengtai/contract/withdraw';

const none: RuleActions = { points: 0, hold: false, people: 0, manual: false, openCase: false, stopCoin: false };

const rule = (name: string, conditions: Condition[], actions: Partial<RuleActions>): RuleContent => ({
  name,
  conditions,
  actions: { ...none, ...actions },
  // None of these facts is unknown for an ordinary user, so what is unknown is looked at.
  unknownHits: true,
});

/**
 * The rules of a new installation, as drafts: today's six risks, and the usual patterns of theft, shared accounts, laundering
 * and avoided limits.
 */
export const starterRules: readonly RuleContent[] = [
  rule(withdrawRisks.first_address, [{ fact: 'riskFirstAddress', op: 'is', value: true }], { points: 10 }),
  rule(withdrawRisks.shared_address, [{ fact: 'riskSharedAddress', op: 'is', value: true }], {
    points: 30,
    manual: true,
  }),
  rule(withdrawRisks.over_limit, [{ fact: 'riskOverLimit', op: 'is', value: true }], { points: 20, manual: true }),
  rule(withdrawRisks.credential_changed, [{ fact: 'riskCredentialChanged', op: 'is', value: true }], {
    points: 40,
    manual: true,
  }),
  rule(withdrawRisks.ledger_mismatch, [{ fact: 'riskLedgerMismatch', op: 'is', value: true }], {
    points: 100,
    hold: true,
    openCase: true,
    stopCoin: true,
  }),
  rule(withdrawRisks.manual_balance, [{ fact: 'riskManualBalance', op: 'is', value: true }], {
    points: 60,
    hold: true,
  }),
  rule(
    '新地址大额提现',
    [
      { fact: 'addressPaid', op: 'eq', value: '0' },
      { fact: 'amountUsdt', op: 'gte', value: '5000' },
    ],
    { points: 40, hold: true },
  ),
  rule(
    '修改凭证后提现',
    [
      { fact: 'credentialHours', op: 'lt', value: '24' },
      { fact: 'amountUsdt', op: 'gte', value: '1000' },
    ],
    { points: 50, hold: true, people: 2 },
  ),
  rule('多账号同一地址', [{ fact: 'addressUsers', op: 'gte', value: '2' }], { points: 50, hold: true, openCase: true }),
  rule(
    '快进快出',
    [
      { fact: 'rechargeMinutes', op: 'lt', value: '30' },
      { fact: 'rechargeShare', op: 'gte', value: '80' },
    ],
    { points: 40, hold: true },
  ),
  rule('拆分避开复核', [{ fact: 'nearFourEyes24h', op: 'gte', value: '2' }], { points: 60, people: 2 }),
  rule('拆分避开限额', [{ fact: 'nearLimit24h', op: 'gte', value: '2' }], { points: 60, hold: true }),
];
