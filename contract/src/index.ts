import { withExports } from './export.ts';
import { inOrder } from './in-order.ts';
import * as calls from './nouns.ts';

/** Every call of the product, by noun, with an export for each list that has columns. The OpenAPI document has this order. */
export const nouns = withExports(
  inOrder(calls, [
    'session',
    'home',
    'agent',
    'user',
    'market',
    'recharge',
    'asset',
    'withdraw',
    'fund',
    'internalTransfer',
    'approval',
    'audit',
    'auth',
    'config',
    'announce',
    'notify',
    'installation',
    'preference',
    'view',
    'otp',
    'passkey',
    'oidc',
    'export',
    'channel',
    'schedule',
    'plan',
    'trade',
    'ieo',
    'second',
    'signal',
    'follow',
    'future',
    'service',
    'report',
    'search',
    'alarm',
    'command',
    'gatewayKey',
    'signing',
  ]),
);
export type Noun = keyof typeof nouns;
