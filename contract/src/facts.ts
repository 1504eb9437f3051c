import type { NounFacts } from './authority/action.ts';
import { inOrder } from './wire/in-order.ts';
import * as tables from './nouns.facts.ts';

/** The facts of every noun. Policies, filters and settings list their labels in this order. */
export const facts = inOrder(tables satisfies Readonly<Record<string, NounFacts>>, [
  'session',
  'otp',
  'passkey',
  'oidc',
  'withdraw',
  'agent',
  'user',
  'asset',
  'config',
  'market',
  'plan',
  'trade',
  'ieo',
  'second',
  'follow',
  'future',
  'approval',
  'recharge',
  'fund',
  'auth',
  'announce',
  'installation',
  'export',
  'preference',
  'view',
  'signal',
  'service',
  'queue',
  'alarm',
  'command',
  'report',
  'gatewayKey',
  'signing',
]);
type Facts = typeof facts;

/** The kinds of targets, or the types of notifications, of all nouns. */
export type FactKey<Part extends 'targets' | 'notifications'> = {
  [N in keyof Facts]: Facts[N] extends Readonly<Record<Part, infer Table>> ? keyof Table & string : never;
}[keyof Facts];

/** Joins the tables of all nouns. */
export const joinFacts = <Part extends 'targets' | 'notifications'>(
  part: Part,
): Readonly<Record<FactKey<Part>, NonNullable<NounFacts[Part]>[string]>> =>
  Object.assign({}, ...Object.values<NounFacts>(facts).map((noun) => noun[part]));
