import { POLICY, type PolicyName, policyDefaults, switchedOn } from '@hengtai/contract/approval';
import type { FourEyesState } from '@hengtai/contract/approval.schema';
import { POLICY_PREFIX, settingText } from '@hengtai/contract/config';
import { grouped } from '../../ui/decimal.ts';

type Policy = FourEyesState['policies'][number];

const isPolicyName = (key: string): key is PolicyName => Object.hasOwn(policyDefaults, key);

/** `通过提现`, without the group that the setting's name begins with. */
export const policyTitle = ({ name }: Pick<Policy, 'name'>): string => name.replace(/^复核：/, '');

/** When a policy asks for a second person, in words. */
export const policyWords = ({ key, state, num }: Pick<Policy, 'key' | 'state' | 'num'>): string =>
  settingText({ key: `${POLICY_PREFIX}${key}`, kind: 'num', str: '', state, num }, grouped);

export const isOff = ({ state }: Pick<Policy, 'state'>): boolean => state === POLICY.off;

/** What the lock switches a policy on to, in words. */
export const lockedWords = ({ key, state, num }: Policy): string =>
  policyWords(isOff({ state }) && isPolicyName(key) ? { key, ...switchedOn(key) } : { key, state, num });

/** The policies that a request for the lock leaves off. */
export function exceptionsOf(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null || !('exceptions' in input)) return [];
  const { exceptions } = input;
  return Array.isArray(exceptions) ? exceptions.filter((one) => typeof one === 'string') : [];
}
