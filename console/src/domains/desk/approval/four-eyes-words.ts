import { POLICY, policies, lockedValueOf, POLICY_PREFIX } from '@hengtai/contract/desk/approval/calls';
import type { PolicyName } from '@hengtai/contract/authority/actions';
import { controlKinds } from '@hengtai/contract/desk/approval/facts';
import type { FourEyesState, OtherOperator } from '@hengtai/contract/desk/approval/schema';
import { settingText } from '@hengtai/contract/desk/config/calls';
import { formatGrouped } from '../../../ui/value/decimal.ts';

type Policy = FourEyesState['policies'][number];

const isPolicyName = (key: string): key is PolicyName => Object.hasOwn(policies, key);

/** When a policy requires a checker, as text. */
export const policyWords = ({ key, state, num }: Pick<Policy, 'key' | 'state' | 'num'>): string =>
  settingText({ key: `${POLICY_PREFIX}${key}`, kind: 'num', str: '', state, num }, formatGrouped);

export const isOff = ({ state }: Pick<Policy, 'state'>): boolean => state === POLICY.off;

/** Who made, granted or reset an operator alone, in one line. */
export const controlText = (records: OtherOperator['records']): string =>
  records.map(({ by, how }) => `${by ?? '范围外的操作员'} ${controlKinds[how]}`).join('、') || '没有记录';

/** The policy under the lock, as text. */
export const lockedPolicyWords = ({ key, state, num }: Policy): string =>
  policyWords(isOff({ state }) && isPolicyName(key) ? { key, ...lockedValueOf(key) } : { key, state, num });

/** The policy keys that a lock request leaves off; empty if the stored input has another shape. */
export function exceptionsOf(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null || !('exceptions' in input)) return [];
  const { exceptions } = input;
  return Array.isArray(exceptions) ? exceptions.filter((one) => typeof one === 'string') : [];
}
