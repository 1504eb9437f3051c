// The areas of the tests. A file belongs to the first area whose pattern matches its path. docs/testing.md describes what each
// area proves.

/** @type {readonly (readonly [area: string, pattern: RegExp])[]} */
export const areas = [
  ['architecture', /^(architecture|testing|scripts|contract)\//],
  ['scope', /^server\/test\/(matrix|rls)|^server\/src\/domains\/people\/|^server\/src\/database\/(scope|tree)/],
  ['money', /^server\/src\/(books\/ledger|destination|domains\/(funds|desk\/report))\//],
  ['four-eyes', /^server\/src\/(domains\/(desk\/approval|house\/otp)\/|cli\/four-eyes)/],
  ['audit', /^server\/src\/(books|domains\/house)\/audit\/|^server\/test\/audit/],
  [
    'gateway',
    /^(clients|conformance|adapters)\/|^server\/src\/(gateway|domains\/(desk\/installation|house\/alarm))\/|^server\/test\/gateway/,
  ],
  ['crashes', /^server\/test\/(crash|binary-contract-crash|channel-crash|event-model|spot-soak|processes|past)/],
  ['trading', /^server\/src\/domains\/(trading|risk\/price-protection)\//],
  [
    'lists and exports',
    /^server\/src\/(database\/(prepared|replica)|books\/(lists|exports)|domains\/desk\/(export|view|search))|^server\/src\/http\/export/,
  ],
  [
    'operations',
    /^drill\/|^server\/src\/(database|embedded|host\/make|backup|supervisor|cli|programs\/(env|setup|wait))|^server\/test\/(database|release)/,
  ],
  [
    'sessions and input',
    /^server\/(src\/(domains\/house\/(session|passkey|oidc)|actions|app|authority|host|outbound|cli\/operator|http)|test\/(input|limits))/,
  ],
  ['realtime and desk', /^server\//],
  ['simulator', /^simulator\//],
  ['console', /^console\/src\//],
  ['browser: lists', /^console\/e2e\/(list|export|amount)/],
  ['browser: money', /^console\/e2e\/(withdraw|recharge|ledger-entry|asset|approval)/],
  ['browser: people', /^console\/e2e\/(agent|user|kyc|support)/],
  ['browser: trading', /^console\/e2e\/(spot|future|binary-contract|ieo|follow|market|price-protection)/],
  ['browser: shell and house', /^console\/e2e\//],
];

export const areaOf = (path) => areas.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';
