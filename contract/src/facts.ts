import type { NounFacts } from './authority/action.ts';
import { inOrder } from './wire/in-order.ts';
import * as tables from './nouns.facts.ts';

type Tables = typeof tables;
type CheckedFacts = { readonly [N in keyof Tables]: NounFacts<keyof Tables[N]['actions'] & string> };

/** The facts of every noun. Policies, filters and settings list their labels in this order. */
export const facts = inOrder(tables satisfies CheckedFacts, [
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
export type Facts = typeof facts;

/** The kinds of targets, the types of notifications, or the counts of what waits, of all nouns. */
export type FactKey<Part extends 'targets' | 'notifications' | 'waiting'> = {
  [N in keyof Facts]: Facts[N] extends Readonly<Record<Part, infer Table>> ? keyof Table & string : never;
}[keyof Facts];

/** Joins the tables of all nouns. */
export const joinFacts = <Part extends 'targets' | 'notifications'>(
  part: Part,
): Readonly<Record<FactKey<Part>, NonNullable<NounFacts[Part]>[string]>> =>
  Object.assign({}, ...Object.values<NounFacts>(facts).map((noun) => noun[part]));
