// Which tests judge the mutants of an area, and which mutants are known to survive.

/**
 * Steps of vitest by area. The next step runs only if nothing failed in the one before, so that likely killers come first.
 *
 * @type {Readonly<Record<string, readonly (readonly string[])[]>>}
 */
export const tests = {
  ledger: [
    ['server/src/ledger'],
    ['server/src/modules/asset', 'server/src/modules/withdraw/withdraw.test.ts', 'server/src/modules/user/snapshot'],
    [
      'server/src/gateway/event-batch',
      'server/src/gateway/batch',
      'server/src/modules/ledger-entry',
      'server/test/event-model',
    ],
  ],
  lists: [
    [
      'server/src/lists/list.test.ts',
      'server/src/lists/filter',
      'server/src/lists/list-filters',
      'server/src/lists/user-sums',
    ],
    ['server/src/lists/counters', 'server/src/lists/limits', 'server/test/counts-to-zero'],
    [
      'server/src/modules/user/user-detail',
      'server/src/modules/ledger-entry',
      'server/test/rls-book',
      'server/test/matrix',
    ],
  ],
  actions: [
    ['server/src/actions', 'server/src/modules/otp', 'server/src/modules/session'],
    ['server/src/modules/passkey', 'server/src/modules/audit', 'server/test/revoked-body', 'server/src/modules/config'],
    ['server/test/keys', 'server/src/modules/approval', 'server/test/matrix', 'server/test/one-person'],
  ],
  'four-eyes': [
    ['server/src/modules/approval'],
    ['server/src/cli/four-eyes', 'server/test/four-eyes', 'server/test/one-person', 'server/src/modules/asset'],
    ['server/src/modules/session', 'server/src/modules/agent', 'server/src/modules/withdraw', 'server/src/modules/otp'],
  ],
  scope: [
    ['server/src/modules/agent', 'server/src/postgres/tree', 'server/src/postgres/scope'],
    ['server/test/matrix', 'server/test/rls'],
    [
      'server/src/modules/approval',
      'server/src/modules/oidc',
      'server/src/modules/rule',
      'server/src/modules/auto-payout',
    ],
    ['server/src/actions', 'server/src/modules/market', 'server/src/modules/withdraw', 'server/src/modules/search'],
  ],
  gateway: [
    [
      'server/src/gateway/signature',
      'server/src/gateway/networks',
      'server/src/gateway/commands',
      'server/src/gateway/command-lease',
    ],
    ['server/src/gateway', 'server/src/modules/gateway-key', 'server/src/modules/command'],
    ['server/test/gateway-client', 'server/src/modules/installation', 'server/test/event-model'],
  ],
  withdraw: [
    ['server/src/modules/withdraw/'],
    ['server/src/modules/withdraw-limit', 'server/src/gateway/withdraw-events', 'server/src/modules/signing'],
    [
      'server/src/modules/rule',
      'server/src/modules/screening',
      'server/src/modules/approval',
      'server/src/modules/user',
      'server/test/past',
    ],
    ['clients/typescript/test', 'clients/python/tests', 'server/test/event-model', 'server/src/lists/counters'],
  ],
  rules: [
    ['server/src/modules/rule'],
    ['drill/fraud', 'server/src/modules/withdraw/', 'server/src/modules/auto-payout'],
  ],
  'auto-payouts': [['server/src/modules/auto-payout'], ['server/src/modules/screening', 'server/src/modules/signing']],
  console: [
    [
      'console/src/ui/decimal',
      'console/src/ui/amount',
      'console/src/lists',
      'console/src/features',
      'console/src/signing',
    ],
    ['console/src/ui', 'console/src/login', 'console/src/actions', 'console/src/navigation', 'console/src/api'],
  ],
};

/**
 * Mutants that no test of their area notices, and why that is accepted.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const survivors = {
  'lists/agent-filter-without-scope': 'Row-level security hides agents outside the scope too.',
};
