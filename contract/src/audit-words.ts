import { type Ability, abilityLabels } from './ability.ts';
import { announceLangs, announcePlatforms } from './input-values.ts';
import { approvalTypes, policyLabels } from './approval.ts';
import { assetActions, assetStates } from './asset.ts';
import { POLICY_PREFIX } from './config.ts';
import { labelOf } from './labels.ts';
import { platformLabels } from './money.ts';
import { marketTypes } from './market-type.ts';
import { priceProtectionStates } from './price-protection.ts';
import { onOffLabels } from './switches.ts';
import { targetTypes, targets } from './target.ts';
import { winTypeLabels } from './user.ts';

type Labels = Readonly<Record<string | number, string>>;

/** Labels of record fields in audit rows that `fieldLabels` does not have. */
const recordLabels: Readonly<Record<string, string>> = {
  by: '审核人',
  secondBy: '复核人',
  attempt: '打款次数',
  abilities: '权限',
  reached: '连带变更的代理',
  trade: '交易',
  ieoBuy: '认购买入',
  ieoSell: '认购卖出',
  ai: '智能跟单',
  live: '已上线',
  key: '设置项',
  historyId: '恢复自变更',
  active: '可用',
  frozen: '冻结',
  answer: '复核意见',
  path: '所在层级',
  children: '下级代理',
  replacement: '接替代理',
  handed: '移交',
  agents: '代理数',
  users: '用户数',
  withdraws: '进行中的提现',
  recharges: '待处理的充值',
  approvals: '待复核的申请',
  moved: '随迁记录',
  noteId: '备注编号',
  kind: '种类',
  readOnly: '只读',
  expire: '失效时间',
  deletedAt: '删除时间',
  keys: '设置键',
  input: '提交内容',
  rows: '行数',
  total: '总行数',
  watched: '价格监控',
  triggeredAt: '触发时间',
  resumeAt: '恢复时间',
  price: '价格',
  orders: '委托数',
  filled: '已成交',
  marketName: '市场',
  pay: '支付',
  payout: '可盈利',
  profit: '盈亏',
  openPrice: '开仓价',
  settleAt: '到期时间',
  messageId: '消息编号',
  characters: '字数',
  image: '图片',
  width: '宽度',
  height: '高度',
  bytes: '字节数',
  unread: '未读',
  assignee: '处理人',
  readTo: '已读至消息',
  root: '根',
  totals: '负债合计',
  same: '与账本相符',
  types: '通知类型',
  enabled: '启用',
  addressChanged: '地址已更改',
  secretChanged: '密钥已更换',
  period: '周期',
  hour: '小时',
  day: '日',
  slot: '计划时间',
};

const onOff = onOffLabels as Labels;
/** Value labels by field name. */
const valueLabels: Readonly<Record<string, Labels>> = {
  trade: onOff,
  ieoBuy: onOff,
  ieoSell: onOff,
  ai: onOff,
  live: { 1: '是', 0: '否' },
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
};

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

/** `input.amount` → `提交内容 · 数量`. */
export const auditFieldText = (path: string): string =>
  path
    .split('.')
    .map((part) => (Object.hasOwn(recordLabels, part) ? (recordLabels[part] ?? part) : labelOf(part)))
    .join(' · ');

const nameIn = (labels: Labels | undefined, value: unknown): string | undefined =>
  labels && (typeof value === 'string' || typeof value === 'number') && Object.hasOwn(labels, value)
    ? labels[value]
    : undefined;

interface AuditContext {
  targetType: string | null;
  action: string;
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
  if (field === 'abilities' && Array.isArray(value))
    return value.map((ability) => abilityLabels[ability as Ability] ?? String(ability)).join('、');
  if (field === 'key' && isPolicy(record)) return policyText(String(value));
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
