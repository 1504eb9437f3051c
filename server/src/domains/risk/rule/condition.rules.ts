import { type Fact, facts } from '@hengtai/contract/risk/rule/catalogue';
import type { Condition } from '@hengtai/contract/risk/rule/schema';
import { refuseField } from '../../../app/refuse.ts';

/** Ids have at most 15 digits, so that every one fits a bigint. */
const ID = /^[1-9]\d{0,14}$/;

/** @throws Refused 422 if the values of a choice are not among its options */
export function validateConditions(conditions: readonly Condition[]): void {
  for (const condition of conditions) {
    if (!Array.isArray(condition.value)) continue;
    const { label, options, source }: Fact = facts[condition.fact];
    const isValid = (value: string): boolean =>
      options ? Object.hasOwn(options, value) : source === 'network' || ID.test(value);
    const wrong = condition.value.find((value) => !isValid(value));
    if (wrong !== undefined) throw refuseField('conditions', `：${label}没有选项 ${wrong}`);
  }
}
