/** A kind of record that actions, approvals, notifications and audit rows name. */
interface TargetKind {
  label: string;
  /** Page of a record; `{id}` stands for its id. A kind without a page per record has that of its list, or none. */
  path?: string;
}

const kinds = {
  user: { label: '用户', path: '/user?open={id}' },
  agent: { label: '代理', path: '/agent?open={id}' },
  recharge: { label: '充值', path: '/recharge?open={id}&id={id}' },
  withdraw: { label: '提现', path: '/withdraw?open={id}' },
  fund: { label: '资金记录', path: '/fund/record' },
  auth: { label: '实名审核', path: '/auth?open={id}' },
  ieo: { label: '认购', path: '/ieo/review?open={id}' },
  approval: { label: '复核', path: '/approval?open={id}' },
  asset: { label: '资产' },
  market: { label: '市场', path: '/market?open={id}' },
  plan: { label: '风控计划', path: '/plan' },
  config: { label: '系统设置', path: '/config?open={id}' },
  announce: { label: '公告', path: '/announce?open={id}&id={id}' },
  installation: { label: '安装' },
  preference: { label: '偏好设置' },
  view: { label: '视图' },
  session: { label: '会话', path: '/session?id={id}' },
  export: { label: '导出任务' },
  trade: { label: '现货委托', path: '/trade/order?open={id}' },
  second: { label: '秒合约', path: '/second/close?open={id}' },
  secondConfig: { label: '秒合约设置', path: '/second/config' },
  signal: { label: '跟单信号', path: '/signal?open={id}' },
  follow: { label: '跟单', path: '/follow?open={id}' },
  future: { label: '合约订单', path: '/future/open?open={id}' },
  service: { label: '客服会话', path: '/service?open={id}' },
  message: { label: '客服消息' },
  reply: { label: '快捷回复' },
  report: { label: '负债证明' },
  alarm: { label: '告警', path: '/alarm?open={id}' },
  command: { label: '平台指令', path: '/command?open={id}' },
  entry: { label: '资金流水', path: '/fund/record?id={id}' },
} as const satisfies Readonly<Record<string, TargetKind>>;
export type TargetNoun = keyof typeof kinds;

export const targets: Readonly<Record<string, TargetKind>> = kinds;

/** Labels of the targets of mutations, approvals and audit rows. */
export const targetTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(targets).map(([type, { label }]) => [type, label]),
);

/** The target as text, such as `提现 #12`; empty without a target. */
export function targetText({ targetType, targetId }: { targetType: string | null; targetId: number | null }): string {
  if (targetType === null) return '';
  const label = Object.hasOwn(targetTypes, targetType) ? targetTypes[targetType] : targetType;
  // There is only one installation, so its id is not shown.
  return targetId === null || targetType === 'installation' ? `${label}` : `${label} #${targetId}`;
}
