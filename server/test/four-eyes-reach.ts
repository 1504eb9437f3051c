import { Decimal } from '@hengtai/contract/values/decimal';
import type { Line, Lines } from './four-eyes-lines.ts';
import { type Setting, findLooserSetting } from './four-eyes-setting-rules.ts';

/** What one person reaches by the records that protect, by rules that are independent of the server's. */

type IsLooser = (before: unknown, after: unknown) => boolean;

const numberOf = (value: unknown): Decimal => new Decimal(typeof value === 'boolean' ? Number(value) : String(value));
/** 0 and null are no limit. */
const limitOf = (value: unknown): Decimal =>
  value === null || numberOf(value).isZero() ? new Decimal(Infinity) : numberOf(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const higher: IsLooser = (before, after) => numberOf(after).gt(numberOf(before));
const lower: IsLooser = (before, after) => numberOf(after).lt(numberOf(before));
const lessLimited: IsLooser = (before, after) => limitOf(after).gt(limitOf(before));
export const changed: IsLooser = (before, after) => spell(before) !== spell(after);
/** Null is everything. */
const more: IsLooser = (before, after) =>
  before !== null && (after === null || listOf(after).some((one) => !listOf(before).includes(one)));
/** No network is everything. The model enters networks of IPv4. */
const moreNetworks: IsLooser = (before, after) =>
  listOf(before).length > 0 &&
  (listOf(after).length === 0 ||
    listOf(after).some((network) => !listOf(before).some((one) => contains(String(one), String(network)))));
const otherNetworks: IsLooser = (before, after) =>
  listOf(before).length !== listOf(after).length ||
  listOf(before).some((one, n) => {
    const is = listOf(after)[n] as Line;
    const was = one as Line;
    return Object.keys({ ...was, ...is }).some((field) =>
      (field === 'recharge' || field === 'withdraw' ? higher : changed)(was[field], is[field]),
    );
  });

function contains(outer: string, inner: string): boolean {
  const [[bits, length], [innerBits, innerLength]] = [bitsOf(outer), bitsOf(inner)];
  return length <= innerLength && bits.slice(0, length) === innerBits.slice(0, length);
}

function bitsOf(network: string): [bits: string, length: number] {
  const [address = '', length = '32'] = network.split('/');
  return [
    address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join(''),
    Number(length),
  ];
}

/** How the records of one kind protect. Fields without a rule do not. */
interface Kind {
  fields: Readonly<Record<string, IsLooser>>;
  /** Whether one more record of the kind, or one less, protects less. */
  added?: (after: Line) => boolean;
  removed?: (before: Line) => boolean;
  /** Whether a record of before protects at all. */
  protects?: (before: Line) => boolean;
}

const always = () => true;
const marketSwitches = ['spot', 'future', 'second', 'ieo', 'rechargeState', 'withdrawState'];
const marketValues = [
  'pricePrecision',
  'amountPrecision',
  'minAmount',
  'maxAmount',
  'makerFee',
  'takerFee',
  'maxLeverage',
  'maintenanceRate',
  'withdrawFee',
  'withdrawMin',
  'withdrawMax',
];
const budgetAmounts = [
  'dayAmount',
  'dayCount',
  'userDayAmount',
  'largestUnverified',
  'largestBasic',
  'largestAdvanced',
];
const all = (fields: readonly string[], rule: IsLooser) => Object.fromEntries(fields.map((field) => [field, rule]));

/** A coin passes nothing before it has a budget. */
const NO_BUDGET: Line = {
  on: false,
  ...Object.fromEntries(budgetAmounts.map((field) => [field, '0'])),
  firstByHand: true,
  reviewPercent: 100,
  running: true,
};

const KINDS: Readonly<Record<string, Kind>> = {
  // Open or closed is one field among the others: what a closed tier says counts when it is opened.
  limit: {
    fields: {
      withdrawState: higher,
      singleMin: lower,
      ...all(['singleMax', 'dayAmount', 'dayCount'], lessLimited),
      ...all(['feeFixed', 'feeRate'], changed),
    },
  },
  userGroup: { fields: { forAgents: higher }, added: ({ forAgents }) => forAgents === true },
  market: {
    fields: {
      ...all(marketValues, changed),
      ...all(marketSwitches, higher),
      networks: otherNetworks,
      state: (before, after) => after === 1 && before !== 1,
    },
    added: always,
    removed: always,
  },
  secondConfig: {
    fields: { ...all(['marketId', 'seconds', 'payoutRate', 'minAmount', 'maxAmount'], changed), state: higher },
    added: always,
    removed: always,
  },
  plan: {
    fields: { watched: lower, minPrice: lower, maxPrice: higher, planMinute: lower },
    removed: ({ watched }) => watched === 1,
    protects: ({ watched, minPrice, maxPrice }) => watched === 1 && minPrice !== null && maxPrice !== null,
  },
  'plan.grant': { fields: {}, added: always },
  autoPayout: {
    fields: { on: higher, ...all(budgetAmounts, higher), firstByHand: lower, reviewPercent: lower, running: higher },
  },
  rule: {
    fields: { state: (before, after) => before !== after && (before === 2 || after === 2) },
    added: ({ state }) => state === 2,
    removed: always,
  },
  address: {
    fields: {},
    added: ({ list }) => list === 2,
    removed: ({ list }) => list !== 2,
  },
  bypass: { fields: {}, added: always },
  gatewayKey: {
    fields: {
      name: changed,
      platformId: changed,
      rights: more,
      addresses: moreNetworks,
      expiresAt: lessLimited,
      nonce: lower,
    },
    added: always,
  },
  gatewayPlatform: { fields: { name: changed, markets: more }, added: always },
};

export const kindOf = (line: string): string => line.slice(0, line.indexOf(':'));

export const settingsOf = (lines: Lines): Setting[] =>
  Object.entries(lines).flatMap(([line, fields]) => (kindOf(line) === 'config' ? [fields as unknown as Setting] : []));

/** Describes the first line by which one person reaches more than before, or returns undefined. */
export function findLooserLine(previous: Lines, current: Lines): string | undefined {
  if (previous === current) return undefined;
  const setting = findLooserSetting(settingsOf(previous), settingsOf(current));
  if (setting !== undefined) return setting;
  for (const line of new Set([...Object.keys(previous), ...Object.keys(current)])) {
    const looser = compareLine(line, previous, current);
    if (looser !== undefined) return `${line} is looser: ${looser}`;
  }
  return undefined;
}

function compareLine(line: string, previous: Lines, current: Lines): string | undefined {
  const kind = KINDS[kindOf(line)];
  const before = previous[line] ?? withoutLine(line, previous);
  const after = current[line] ?? withoutLine(line, current);
  if (before === undefined) return after && kind?.added?.(after) ? 'it is new' : undefined;
  if (after === undefined) return kind?.removed?.(before) ? 'it is gone' : undefined;
  if (spell(before) === spell(after) || kind?.protects?.(before) === false) return undefined;
  const field = Object.entries(kind?.fields ?? {}).find(
    ([name, isLooser]) => name in before && isLooser(before[name], after[name]),
  );
  if (field) return describe(field[0], before, after);
  if (kindOf(line) === 'rule' && before['state'] === 2) return 'its content changed in effect';
  if (kindOf(line) === 'userGroup' && isUsed(line, previous, before) && changed(before['name'], after['name']))
    return describe('name', before, after);
  return kindOf(line) === 'userGroup.member' ? compareMove(before, after, previous, current) : undefined;
}

const describe = (field: string, before: Line, after: Line): string =>
  `${field} ${JSON.stringify(before[field])} became ${JSON.stringify(after[field])}`;

/** The line of the limits of a level without a group. */
export const withoutGroup = (line: string): string => line.replace(/[^:]+$/, '-');

/** What is in force where a line does not exist. */
function withoutLine(line: string, lines: Lines): Line | undefined {
  if (kindOf(line) === 'autoPayout') return NO_BUDGET;
  // A group that does not exist is no group.
  return kindOf(line) === 'limit' ? lines[withoutGroup(line)] : undefined;
}

/** People approve by the name of a group, so it stays with the terms and the users that it has. */
function isUsed(line: string, lines: Lines, { forAgents }: Line): boolean {
  const use = lines[line.replace('userGroup', 'use')];
  return forAgents === true || Number(use?.['members'] ?? 0) > 0 || use?.['terms'] === true;
}

const groupOf = (groupId: unknown): string => (groupId === null ? '-' : spell(groupId));

/** Users of each level, because a level changes without regard to the group. */
function compareMove(before: Line, after: Line, previous: Lines, current: Lines): string | undefined {
  const termsIn = (lines: Lines, { groupId }: Line) =>
    Object.entries(lines).filter(([line]) => kindOf(line) === 'limit' && line.endsWith(`:${groupOf(groupId)}`));
  for (const [line, terms] of termsIn(previous, before)) {
    const target = line.replace(/[^:]+$/, groupOf(after['groupId']));
    const found = compareLine(
      line,
      { [line]: terms },
      { [line]: current[target] ?? withoutLine(target, current) ?? {} },
    );
    if (found !== undefined) return `moved to ${target}: ${found}`;
  }
  return undefined;
}

/** A value in one spelling: amounts without trailing zeros, switches as numbers. */
export function spell(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spell).join()}]`;
  if (typeof value === 'boolean') return String(Number(value));
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)))
    return new Decimal(value).toFixed();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}:${spell(field)}`).join()}}`;
}
