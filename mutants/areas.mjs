// Which tests judge the mutants of an area, and which mutants are known to survive.

/**
 * Steps of vitest by area. The next step runs only if nothing failed in the one before, so that likely killers come first.
 *
 * @type {Readonly<Record<string, readonly (readonly string[])[]>>}
 */
export const tests = {
  ledger: [
    ['server/src/books/ledger'],
    [
      'server/src/domains/funds/asset',
      'server/src/domains/funds/withdraw/withdraw.test.ts',
      'server/src/domains/people/user/snapshot',
    ],
    [
      'server/src/gateway/event-batch',
      'server/src/gateway/batch',
      'server/src/domains/funds/ledger-entry',
      'server/test/event-model',
    ],
  ],
  lists: [
    [
      'server/src/books/lists/list.test.ts',
      'server/src/books/lists/filter',
      'server/src/books/lists/list-filters',
      'server/src/books/lists/user-sums',
    ],
    ['server/src/books/lists/counters', 'server/src/books/lists/limits', 'server/test/counts-to-zero'],
    [
      'server/src/domains/people/user/user-detail',
      'server/src/domains/funds/ledger-entry',
      'server/test/rls-book',
      'server/test/matrix',
    ],
  ],
  actions: [
    ['server/src/authority', 'server/src/domains/house/otp', 'server/src/domains/house/session'],
    [
      'server/src/domains/house/passkey',
      'server/src/domains/house/audit',
      'server/test/revoked-body',
      'server/src/domains/desk/config',
    ],
    [
      'server/test/keys',
      'server/test/stale-saves',
      'server/src/domains/desk/approval',
      'server/test/matrix',
      'server/test/one-person',
    ],
  ],
  'four-eyes': [
    ['server/src/domains/desk/approval'],
    ['server/src/cli/four-eyes', 'server/test/four-eyes', 'server/test/one-person', 'server/src/domains/funds/asset'],
    [
      'server/src/domains/house/session',
      'server/src/domains/people/agent',
      'server/src/domains/funds/withdraw',
      'server/src/domains/house/otp',
    ],
  ],
  scope: [
    ['server/src/domains/people/agent', 'server/src/database/tree', 'server/src/database/scope'],
    ['server/test/matrix', 'server/test/rls'],
    [
      'server/src/domains/desk/approval',
      'server/src/domains/house/oidc',
      'server/src/domains/risk/rule',
      'server/src/domains/risk/auto-payout',
    ],
    [
      'server/src/authority',
      'server/src/domains/trading/market',
      'server/src/domains/funds/withdraw',
      'server/src/domains/desk/search',
    ],
  ],
  gateway: [
    [
      'server/src/gateway/signature',
      'server/src/gateway/networks',
      'server/src/gateway/commands',
      'server/src/gateway/command-lease',
    ],
    ['server/src/gateway', 'server/src/domains/house/gateway-key', 'server/src/domains/house/command'],
    ['server/test/gateway-client', 'server/src/domains/desk/installation', 'server/test/event-model'],
  ],
  wallets: [['server/src/domains/funds/wallet'], ['server/src/gateway', 'server/test/event-model']],
  withdraw: [
    ['server/src/domains/funds/withdraw/'],
    ['server/src/domains/risk/withdraw-limit', 'server/src/gateway/withdraw-events', 'server/src/domains/risk/signing'],
    [
      'server/src/domains/risk/rule',
      'server/src/domains/risk/screening',
      'server/src/domains/desk/approval',
      'server/src/domains/people/user',
      'server/test/past',
    ],
    ['clients/typescript/test', 'clients/python/tests', 'server/test/event-model', 'server/src/books/lists/counters'],
  ],
  rules: [
    ['server/src/domains/risk/rule'],
    ['drill/fraud', 'server/src/domains/funds/withdraw/', 'server/src/domains/risk/auto-payout'],
  ],
  'auto-payouts': [
    ['server/src/domains/risk/auto-payout'],
    ['server/src/domains/risk/screening', 'server/src/domains/risk/signing'],
  ],
  console: [
    [
      'console/src/ui/value/decimal',
      'console/src/ui/value/amount',
      'console/src/lists',
      'console/src/domains',
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
