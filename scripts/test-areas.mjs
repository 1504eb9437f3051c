// The areas of the tests. A file belongs to the first area whose pattern matches its path. docs/testing.md describes what each
// area proves.

/** @type {readonly (readonly [area: string, pattern: RegExp])[]} */
export const areas = [
  ['architecture', /^(architecture|testing|scripts|contract)\//],
  ['scope', /^server\/test\/(matrix|rls)|^server\/src\/(agent|user)\/|^server\/src\/db\/(scope|tree)/],
  ['money', /^server\/src\/(ledger|ledger-entry|asset|recharge|withdraw|internal-transfer|report)\//],
  ['four-eyes', /^server\/src\/(approval|otp)\//],
  ['audit', /^server\/src\/audit\/|^server\/test\/audit/],
  ['gateway', /^server\/src\/(gateway|installation|alarm)\/|^server\/test\/gateway/],
  ['crashes', /^server\/test\/(crash|binary-contract-crash|event-model|spot-soak|processes|past)/],
  ['trading', /^server\/src\/(spot|future|binary-contract|follow|signal|ieo|market|price-protection)\//],
  ['lists and exports', /^server\/src\/(db\/(prepared|replica)|lists|export|view|search)|^server\/src\/http\/export/],
  ['operations', /^server\/src\/(db|backup|supervisor|env|setup)|^server\/test\/database/],
  ['sessions and input', /^server\/(src\/(session|http)|test\/(input|limits))/],
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
