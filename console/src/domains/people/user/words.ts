import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { type UserSwitch, userSwitchNames } from '@hengtai/contract/people/user/calls';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.users]}」权限`;

/** The switches in the order of the list. */
export const SWITCHES: readonly UserSwitch[] = ['state', 'trade', 'ieoBuy', 'ieoSell', 'ai'];

/** Verb and consequence of a switch: index 0 turns it off, index 1 turns it on. */
export const switchTexts: Readonly<Record<UserSwitch, readonly [SwitchText, SwitchText]>> = {
  state: [
    { verb: '冻结', consequence: '冻结后用户不能登录、交易和提现，到账的充值会被挂起；余额不变，随时可以启用。' },
    { verb: '启用', consequence: '启用后用户可以重新登录；冻结期间挂起的充值仍需逐笔放行。' },
  ],
  trade: [
    { verb: '关闭', consequence: '关闭后不能再下新的委托；已有的委托和持仓不受影响。' },
    { verb: '开启', consequence: '开启后可以下新的委托。' },
  ],
  ieoBuy: [
    { verb: '关闭', consequence: '关闭后不能再认购；待审核的认购不受影响。' },
    { verb: '开启', consequence: '开启后可以认购。' },
  ],
  ieoSell: [
    { verb: '关闭', consequence: '关闭后不能再卖出认购所得；余额不变。' },
    { verb: '开启', consequence: '开启后可以卖出认购所得。' },
  ],
  ai: [
    { verb: '关闭', consequence: '关闭后不再自动跟随信号；进行中的跟单不受影响。' },
    { verb: '开启', consequence: '开启后可以自动跟随信号。' },
  ],
};

interface SwitchText {
  verb: string;
  consequence: string;
}

/** `冻结用户 alice？`, `关闭 alice 的「交易」？` */
export function switchQuestion(field: UserSwitch, to: 0 | 1, account: string): string {
  const { verb } = switchTexts[field][to];
  return field === 'state' ? `${verb}用户 ${account}？` : `${verb} ${account} 的「${userSwitchNames[field]}」？`;
}

/** The actions on one user that have a dialog. */
export const dialogActions = ['password', 'agent', 'group', 'tier', 'link', 'remark', 'remove'] as const;
export type UserAction = (typeof dialogActions)[number];
export const actionNames: Readonly<Record<UserAction, string>> = {
  password: '重置密码',
  agent: '更换代理',
  group: '用户组',
  tier: '收益率档位',
  link: '客服链接',
  remark: '修改备注',
  remove: '删除',
};

/** Parses a payout rate in percent from 1 to 100; undefined if it is invalid. Works on digits, without rounding. */
export function parsePayout(text: string): string | undefined {
  const match = /^0*(\d{1,3})(?:\.(\d{1,18}))?$/.exec(text.trim());
  if (!match) return undefined;
  const whole = Number(match[1]);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (whole < 1 || whole > 100 || (whole === 100 && fraction !== '')) return undefined;
  return fraction ? `${whole}.${fraction}` : String(whole);
}
