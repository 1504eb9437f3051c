import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';
import type { CommandType } from '../../gateway/gateway.ts';

export const commandStates = { 0: '待发送', 1: '已发送', 2: '已执行', 3: '已失败', 4: '结果不明' } as const;

/** Label of each command, and the ability needed to retry or resolve it: that of the action which issued it. */
const commandSpecs: Readonly<Record<CommandType, { label: string; ability: Ability }>> = {
  'withdraw.payout': { label: '提现打款', ability: ABILITY.withdraw },
  'withdraw.reviewed': { label: '提现审核结果', ability: ABILITY.withdraw },
  'wallet.move.requested': { label: '钱包调拨', ability: ABILITY.assets },
  'screen.requested': { label: '筛查请求', ability: ABILITY.withdraw },
  'recharge.reviewed': { label: '充值处理结果', ability: ABILITY.assets },
  'auth.reviewed': { label: '实名审核结果', ability: ABILITY.identity },
  'ieo.reviewed': { label: '认购审核结果', ability: ABILITY.subscription },
  'balance.changed': { label: '余额变动', ability: ABILITY.assets },
  'user.created': { label: '新增用户', ability: ABILITY.users },
  'user.updated': { label: '用户设置', ability: ABILITY.users },
  'user.deleted': { label: '删除用户', ability: ABILITY.users },
  'user.password': { label: '用户密码', ability: ABILITY.users },
  'config.updated': { label: '系统设置', ability: ABILITY.platform },
  'announce.published': { label: '公告', ability: ABILITY.platform },
  'market.updated': { label: '市场设置', ability: ABILITY.markets },
  'market.halted': { label: '市场暂停', ability: ABILITY.plans },
  'market.resumed': { label: '市场恢复', ability: ABILITY.plans },
  'plan.updated': { label: '风控计划', ability: ABILITY.plans },
  'order.cancel': { label: '现货撤单', ability: ABILITY.orders },
  'second.settled': { label: '秒合约结算', ability: ABILITY.orders },
  'second.voided': { label: '秒合约作废', ability: ABILITY.orders },
  'signal.published': { label: '跟单信号', ability: ABILITY.markets },
  'follow.close': { label: '结束跟单', ability: ABILITY.orders },
  'position.cancel': { label: '合约撤单', ability: ABILITY.orders },
  'position.close': { label: '合约平仓', ability: ABILITY.orders },
  'message.sent': { label: '客服消息', ability: ABILITY.users },
  'audit.head': { label: '审计链头', ability: ABILITY.audit },
};
const mapCommands = <T>(value: (type: CommandType) => T) =>
  Object.fromEntries(Object.keys(commandSpecs).map((type) => [type, value(type as CommandType)])) as Readonly<
    Record<CommandType, T>
  >;
export const commandTypes = mapCommands((type) => commandSpecs[type].label);
export const commandAbilities = mapCommands((type) => commandSpecs[type].ability);

export const commandActions = {
  retry: { summary: '重发指令', target: 'command', reason: 'optional', guard: 'none' },
  resolve: { summary: '确认指令结果', target: 'command', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const commandFacts = {
  actions: commandActions,
  targets: { command: { label: '平台指令', path: '/command?open={id}', states: commandStates } },
  notifications: {
    'command.unknown': { label: '指令结果不明', rings: true },
    'command.retried': { label: '指令已重发' },
    'command.resolved': { label: '指令结果已确认' },
  },
  waiting: {
    /** Commands with an unknown outcome that the caller may resolve. Payouts count as withdrawals instead. */
    commandUnknown: {
      label: '结果不明指令',
      query: '?state=4',
      ability: [...new Set(Object.values(commandAbilities))],
      queue: { targetMinutes: 15 },
    },
  },
} as const satisfies NounFacts;
