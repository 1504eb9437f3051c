import { type Ability, abilityLabels } from '../../authority/ability.ts';
import type { AuditRow } from './schema.ts';
import { recordLabels } from './fields.ts';
import { gatewayRights } from '../../gateway/rights.ts';
import { announceLangs, announcePlatforms } from '../../wire/input-values.ts';
import { approvalTypes, policyLabels, POLICY_PREFIX } from '../../desk/approval/calls.ts';
import { assetActions, assetStates } from '../../funds/asset/facts.ts';
import { labelOf } from '../../wire/labels.ts';
import { platformLabels, systemAccountLabels } from '../../values/money.ts';
import { marketTypes } from '../../trading/market/type.ts';
import { priceProtectionStates } from '../../risk/price-protection/facts.ts';
import { onOffLabels } from '../../wire/switches.ts';
import { targetTypes, targets } from '../../authority/target.ts';
import { winTypeLabels } from '../../people/user/facts.ts';

type Labels = Readonly<Record<string | number, string>>;

const onOff = onOffLabels as Labels;
/** Value labels by field name. */
const valueLabels: Readonly<Record<string, Labels>> = {
  searched: { name: '姓名', idNumber: '证件号码', both: '姓名和证件号码' },
  trade: onOff,
  ieoBuy: onOff,
  ieoSell: onOff,
  ai: onOff,
  live: { 1: '是', 0: '否' },
  alone: { 1: '是' },
  winType: winTypeLabels,
  platform: platformLabels,
  action: assetActions,
  type: approvalTypes,
  lang: announceLangs,
  pinned: { 0: '否', 1: '是' },
  targetType: targetTypes,
  marketType: marketTypes,
  planState: priceProtectionStates,
  spot: onOff,
  future: onOff,
  second: onOff,
  ieo: onOff,
  rechargeState: onOff,
  withdrawState: onOff,
  watched: onOff,
  nonce: { 1: '要求', 0: '不要求' },
  from: systemAccountLabels,
  to: systemAccountLabels,
};

/** The second factor of a login or of a change of the own factors. */
const factorLabels: Labels = { code: '验证码', recovery: '恢复码', passkey: '通行密钥' };

/** The first factor of a login, where it was not the password. */
const firstFactors: Labels = { oidc: '企业登录' };

/** Ratios on the wire that screens show in percent, and numbers that are percent already. */
const RATIOS = new Set(['makerFee', 'takerFee', 'maintenanceRate']);
const PERCENTS = new Set(['winRate', 'ratio']);

/** `0.001` → `0.1%`, by moving the point. */
function percentText(ratio: string): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(ratio)) return undefined;
  const [whole = '', fraction = ''] = ratio.split('.');
  const digits = whole + fraction.padEnd(2, '0');
  const point = whole.length + 2;
  const rest = digits.slice(point).replace(/0+$/, '');
  return `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}${rest && `.${rest}`}%`;
}

/** Whether `by` of the action is a second factor. In records it is the operator who decided. */
const isByFactor = (action: string): boolean => /^(session|otp|passkey|oidc)\./.test(action);

/** Of other actions, `from` and `to` are times. */
const transferPlaces: Readonly<Record<string, string>> = { from: '转出账户', to: '转入账户' };

/** `input.amount` → `提交内容 · 数量`. */
export const auditFieldText = ({ action }: Pick<AuditSubject, 'action'>, path: string): string =>
  path
    .split('.')
    .map((part) => {
      if (part === 'by' && isByFactor(action)) return '验证方式';
      if (action === 'house.transfer' && Object.hasOwn(transferPlaces, part)) return transferPlaces[part] ?? part;
      return Object.hasOwn(recordLabels, part) ? (recordLabels[part] ?? part) : labelOf(part);
    })
    .join(' · ');

const nameIn = (labels: Labels | undefined, value: unknown): string | undefined =>
  labels && (typeof value === 'string' || typeof value === 'number') && Object.hasOwn(labels, value)
    ? labels[value]
    : undefined;

type AuditSubject = Pick<AuditRow, 'targetType' | 'action'>;
interface AuditContext extends AuditSubject {
  /** The record that holds the value. */
  record: unknown;
}

/** The label of a recorded value; undefined if the value is shown as it is. */
export function auditValueText(
  { targetType, action, record }: AuditContext,
  path: string,
  value: unknown,
): string | undefined {
  const field = path.split('.').at(-1) ?? '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if ((field === 'abilities' || field === 'allowed') && Array.isArray(value))
    return value.map((ability) => abilityLabels[ability as Ability] ?? String(ability)).join('、');
  if (field === 'rights' && Array.isArray(value))
    return value.map((right) => nameIn(gatewayRights, right) ?? String(right)).join('、');
  if (field === 'key' && isPolicy(record)) return policyText(String(value));
  if (field === 'first') return nameIn(firstFactors, value);
  if (field === 'by' && isByFactor(action)) return nameIn(factorLabels, value);
  if (field === 'platform' && targetType === 'announce') return nameIn(announcePlatforms, value);
  if (RATIOS.has(field) && typeof value === 'string') return percentText(value);
  if (PERCENTS.has(field) && typeof value === 'string' && value !== '') return `${value}%`;
  if (field !== 'state') return nameIn(valueLabels[field], value);
  // An adjustment's state says whether reports count it, a setting's state is its switch or its policy mode.
  if (action.startsWith('asset.')) return nameIn(assetStates, value);
  if (targetType === 'config') return nameIn(isPolicy(record) ? policyLabels : onOff, value);
  // A state without a label is shown as its number.
  return nameIn(targetType === null ? undefined : targets[targetType]?.states, value);
}

/** Names a policy after its action. A policy that several actions share has no label. */
function policyText(key: string): string | undefined {
  const action = nameIn(approvalTypes, key.slice(POLICY_PREFIX.length));
  return action && `复核策略：${action}`;
}

function isPolicy(record: unknown): boolean {
  const key: unknown = typeof record === 'object' && record !== null && 'key' in record ? record.key : undefined;
  return typeof key === 'string' && key.startsWith(POLICY_PREFIX);
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list of plain values is one leaf; only objects and lists of objects are split. */
export const isLeaf = (value: unknown): boolean =>
  !isBranch(value) || Object.keys(value).length === 0 || (Array.isArray(value) && !value.some(isBranch));

/** A recorded value without a label. */
export function leafText(value: unknown): string {
  if (value === null) return '未设置';
  if (Array.isArray(value)) return value.map(String).join('、');
  if (isBranch(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fields with a time whose names do not end in `At`. `from` and `to` are the time range of an export. */
const MOMENTS = new Set([
  'at',
  'day',
  'expire',
  'from',
  'parkedUntil',
  'passwordUntil',
  'permitUntil',
  'reached',
  'slot',
  'to',
  'until',
  'validUntil',
]);

/** A recorded time, in unix milliseconds. Smaller numbers are something else. */
export function isMoment(path: string, value: unknown): value is number {
  const field = path.split('.').at(-1) ?? '';
  return (MOMENTS.has(field) || field.endsWith('At')) && typeof value === 'number' && value > 1e12;
}

/**
 * The text of every recorded value under its dotted path, in words where the contract has them.
 *
 * @param timeText writes unix milliseconds in the zone of the reader
 */
export function auditTexts(
  subject: AuditSubject,
  record: unknown,
  timeText: (ms: number) => string,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, path: string): void => {
    if (value === undefined) return;
    if (!isLeaf(value)) {
      for (const [key, child] of Object.entries(value as object)) collect(child, path === '' ? key : `${path}.${key}`);
    } else if (path !== '' || value !== null) {
      const label = auditValueText({ ...subject, record }, path, value);
      texts.set(path, label ?? (isMoment(path, value) ? timeText(value) : leafText(value)));
    }
  };
  collect(record, '');
  return texts;
}

/** A recorded state in one line, for example `状态：待审核；数量：3`; empty if nothing was recorded. */
export const auditRecordText = (subject: AuditSubject, record: unknown, timeText: (ms: number) => string): string =>
  [...auditTexts(subject, record, timeText)]
    .map(([path, text]) => `${path === '' ? '值' : auditFieldText(subject, path)}：${text === '' ? '（空）' : text}`)
    .join('；');
