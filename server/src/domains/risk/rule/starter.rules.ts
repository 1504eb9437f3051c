import type { Condition, RuleActions, RuleContent } from '@hengtai/contract/risk/rule/schema';
import { withdrawRisks } from '@hengtai/contract/funds/withdraw/calls';

const none: RuleActions = { points: 0, hold: false, people: 0, manual: false, openCase: false, stopCoin: false };

const rule = (name: string, conditions: Condition[], actions: Partial<RuleActions>): RuleContent => ({
  name,
  conditions,
  actions: { ...none, ...actions },
  // What is not known of one user is looked at.
  unknownHits: true,
});

/** A rule about logins, which some platforms do not report: then they are unknown of every user. */
const loginRule = (...content: Parameters<typeof rule>): RuleContent => ({ ...rule(...content), unknownHits: false });

/**
 * The rules of a new installation, as drafts: the risks, and red flags of theft, shared accounts, laundering, avoided limits
 * and profits without a source, as FATF's "Virtual Assets Red Flag Indicators" (2020) lists them.
 */
export const starterRules: readonly RuleContent[] = [
  rule(withdrawRisks.first_address, [{ fact: 'riskFirstAddress', op: 'is', value: true }], { points: 10 }),
  rule(withdrawRisks.shared_address, [{ fact: 'riskSharedAddress', op: 'is', value: true }], {
    points: 30,
    manual: true,
  }),
  rule(withdrawRisks.address_format, [{ fact: 'riskAddressFormat', op: 'is', value: true }], {
    points: 30,
    manual: true,
  }),
  rule(withdrawRisks.memo_missing, [{ fact: 'riskMemoMissing', op: 'is', value: true }], {
    points: 30,
    manual: true,
  }),
  rule(withdrawRisks.related_listed, [{ fact: 'riskRelatedListed', op: 'is', value: true }], {
    points: 60,
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
  loginRule(
    '新设备提现到新地址',
    [
      { fact: 'deviceHours', op: 'lt', value: '72' },
      { fact: 'addressPaid', op: 'eq', value: '0' },
    ],
    { points: 50, hold: true },
  ),
  loginRule(
    '新IP提现到新地址',
    [
      { fact: 'ipHours', op: 'lt', value: '72' },
      { fact: 'addressPaid', op: 'eq', value: '0' },
      { fact: 'amountUsdt', op: 'gte', value: '1000' },
    ],
    { points: 40, hold: true },
  ),
  loginRule(
    '沉睡账户提现到新地址',
    [
      { fact: 'loginGapDays', op: 'gte', value: '90' },
      { fact: 'addressPaid', op: 'eq', value: '0' },
    ],
    { points: 50, hold: true },
  ),
  rule(
    '被驳回后提现到新地址',
    [
      { fact: 'rejectedCount', op: 'gte', value: '1' },
      { fact: 'addressPaid', op: 'eq', value: '0' },
    ],
    { points: 40, hold: true },
  ),
  rule('多账号同一地址', [{ fact: 'addressUsers', op: 'gte', value: '2' }], { points: 50, hold: true, openCase: true }),
  rule('地址关联被冻结用户', [{ fact: 'addressFrozenUsers', op: 'gte', value: '1' }], {
    points: 80,
    hold: true,
    openCase: true,
  }),
  rule('地址曾被驳回', [{ fact: 'addressRejectedUsers', op: 'gte', value: '1' }], { points: 60, hold: true }),
  loginRule('多账号同一IP', [{ fact: 'ipUsers', op: 'gte', value: '3' }], { points: 40, hold: true }),
  rule(
    '快进快出',
    [
      { fact: 'rechargeMinutes', op: 'lt', value: '60' },
      { fact: 'rechargeShare', op: 'gte', value: '50' },
    ],
    { points: 40, hold: true },
  ),
  rule(
    '充值后兑换快出',
    [
      { fact: 'rechargeMinutes', op: 'lt', value: '60' },
      { fact: 'gainShare', op: 'gte', value: '80' },
    ],
    { points: 40, hold: true },
  ),
  rule(
    '当日充值提现到新地址',
    [
      { fact: 'rechargeMinutes', op: 'lt', value: '1440' },
      { fact: 'rechargeShare', op: 'gte', value: '80' },
      { fact: 'addressPaid', op: 'eq', value: '0' },
      { fact: 'amountUsdt', op: 'gte', value: '500' },
    ],
    { points: 40, hold: true },
  ),
  rule(
    '刚通过实名即大额提现',
    [
      { fact: 'kycHours', op: 'lt', value: '24' },
      { fact: 'amountUsdt', op: 'gte', value: '2000' },
    ],
    { points: 40, hold: true },
  ),
  rule(
    '新用户提现未充值的资金',
    [
      { fact: 'userDays', op: 'lt', value: '7' },
      { fact: 'gainShare', op: 'gte', value: '50' },
    ],
    { points: 50, hold: true },
  ),
  rule(
    '提现远超充值',
    [
      { fact: 'userDays', op: 'lt', value: '90' },
      { fact: 'gainShare', op: 'gte', value: '80' },
      { fact: 'amountUsdt', op: 'gte', value: '1000' },
    ],
    { points: 40, hold: true },
  ),
  rule('拆分避开复核', [{ fact: 'nearFourEyes24h', op: 'gte', value: '2' }], { points: 60, people: 2 }),
  rule('拆分避开限额', [{ fact: 'nearLimit24h', op: 'gte', value: '2' }], { points: 60, hold: true }),
  rule(
    '连续提现合计大额',
    [
      { fact: 'count24h', op: 'gte', value: '3' },
      { fact: 'sum24h', op: 'gte', value: '10000' },
    ],
    { points: 50, people: 2 },
  ),
];
