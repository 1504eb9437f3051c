import { binaryContractVoidCauses } from '../trading/binary-contract/calls.ts';
import { USER_FROZEN } from '../funds/withdraw/facts.ts';

/**
 * Codes of the suggested reasons that commands carry in the operators' language, so that a platform can show its users a text
 * in theirs. Own words of an operator have the code `other`.
 */
const reasonCodes = {
  地址有风险: 'risky_address',
  '资料不符，请联系客服': 'mismatched_data',
  流水不足: 'insufficient_turnover',
  账户存在异常: 'abnormal_account',
  认购额度已满: 'quota_exhausted',
  不符合认购资格: 'not_eligible',
  证件照片模糊: 'blurred_photo',
  证件信息与填写不一致: 'mismatched_document',
  证件已过期: 'expired_document',
  缺少手持证件照: 'missing_holding_photo',
  证件已被其他账号使用: 'document_in_use',
  行情异常: 'abnormal_prices',
  平台故障: 'platform_failure',
  用户申诉成立: 'appeal_accepted',
  重复下单: 'duplicate_order',
  [binaryContractVoidCauses.open]: 'no_open_tick',
  [binaryContractVoidCauses.close]: 'no_close_tick',
  [USER_FROZEN]: 'frozen',
  frozen: 'frozen',
  closed: 'closed',
  repeated: 'repeated',
} as const satisfies Readonly<Record<string, string>>;

const OTHER = 'other';
export const REASON_CODES: readonly string[] = [...new Set(Object.values(reasonCodes)), OTHER];

const codes: ReadonlyMap<string, string> = new Map(Object.entries(reasonCodes));

/** The fields of a command about a reason; none without a reason. */
export const reasonFields = (reason: string): { reason?: string; reasonCode?: string } =>
  reason === '' ? {} : { reason, reasonCode: codes.get(reason) ?? OTHER };
