import type { FactKey } from '../facts.ts';
import { targetTypes } from '../authority/target.ts';
import { EVENT_TYPES, type EventType } from './gateway.ts';

/** The family of an event: the first part of its type, and one family for all events of the history. */
type FamilyOf<T> = T extends `${string}.imported` ? 'import' : T extends `${infer F}.${string}` ? F : T;
type EventFamily = FamilyOf<EventType>;

const familyOf = (type: string): string => (type.endsWith('.imported') ? 'import' : (type.split('.', 1)[0] ?? ''));

/** A family that is no kind of record needs a label. */
type FamilyLabels = Record<Exclude<EventFamily, FactKey<'targets'>>, string> & Partial<Record<EventFamily, string>>;

const familyLabels: Readonly<FamilyLabels> = {
  agent: '代理',
  user: '用户',
  auth: '实名',
  recharge: '充值',
  withdraw: '提现',
  wallet: '钱包',
  chain: '链上转账',
  screen: '筛查',
  transfer: '内部转账',
  order: '现货委托',
  position: '合约仓位',
  funding: '资金费',
  second: '秒合约',
  ieo: '认购',
  follow: '跟单',
  message: '客服消息',
  tick: '行情',
  market: '市场设置',
  balance: '权益调整',
  import: '历史导入',
};

/** Needed besides `market` by an event that lists networks or opens deposits. Keys of the environment do not have it. */
export const LISTING_RIGHT = 'listing';

/** What a key of the gateway may report: families of events. One without a label has that of its target. */
export const eventRights: Readonly<Record<string, string>> = {
  ...familyLabels,
  ...Object.fromEntries(
    EVENT_TYPES.map(familyOf).flatMap((family) =>
      Object.hasOwn(familyLabels, family) ? [] : [[family, targetTypes[family]]],
    ),
  ),
  [LISTING_RIGHT]: '上币',
};

/** What a key of the gateway may do besides. */
export const callRights = {
  commands: '接收平台指令',
  balances: '读取用户余额',
  reads: '读取市场与记录',
  support: '打开客服链接',
} as const;
export type CallRight = keyof typeof callRights;

/** Every right of a key, with its label. */
export const gatewayRights: Readonly<Record<string, string>> = { ...eventRights, ...callRights };

/** The rights that an event needs; none for an unknown type, which is rejected anyway. */
export function rightsOfEvent(type: string, data: object = {}): string[] {
  const family = familyOf(type);
  if (!Object.hasOwn(eventRights, family)) return [];
  const isListing = type === 'market.saved' && ('networks' in data || 'rechargeState' in data);
  return isListing ? [family, LISTING_RIGHT] : [family];
}
