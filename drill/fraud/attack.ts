import type { Random } from '../../simulator/src/random.ts';
import { Customer } from './customer.ts';
import { addCustomer } from './population.ts';
import { DAY, HOUR, type Timeline } from './timeline.ts';

/** One attack. */
export interface Attack {
  timeline: Timeline;
  /** Unique among attacks. */
  id: string;
  dice: Random;
  /** When it becomes visible. */
  at: number;
}

export const early = (pattern: string) => ({ pattern, shows: false }) as const;
export const visible = (pattern: string) => ({ pattern, shows: true }) as const;

/** A customer with a past and with money, who logs in from time to time. */
export function addVictim({ timeline, id, dice, at }: Attack, amount: number) {
  const { customer, habits } = addCustomer(timeline, `victim-${id}`, timeline.start - dice.span(60, 400) * DAY);
  customer.recharge(at - dice.span(4, 9) * DAY, 'USDT', amount);
  for (let before = 20; before > 3; before -= 6) customer.login(at - before * DAY);
  return { customer, address: habits.addresses.USDT[0] ?? '' };
}

/** An account of an attacker that looks like any other for weeks: verified, and with one small paid withdrawal. */
export function addSleeper(
  { timeline, at, id }: Attack,
  name: string,
  { days, ...options }: { days?: number; agent?: string } = {},
) {
  const dice = timeline.dice('sleeper', id, name);
  const joined = at - (days ?? dice.span(20, 60)) * DAY;
  const customer = new Customer(timeline, `${name}-${id}`, joined, options);
  customer.verify(joined + dice.span(2, 60) * HOUR, 1);
  customer.recharge(joined + 3 * DAY, 'USDT', 60);
  const address = customer.newAddress('USDT');
  const paidAt = joined + 6 * DAY;
  if (paidAt < timeline.start) customer.importWithdrawal(paidAt, 'USDT', 50, address);
  else customer.withdraw(paidAt, 'USDT', 50, address, early('preparation'));
  return { customer, address };
}
