/** Labels of the targets of mutations, approvals and audit rows. */
export const targetTypes: Readonly<Record<string, string>> = {
  user: '用户',
  agent: '代理',
  recharge: '充值',
  withdraw: '提现',
  fund: '资金记录',
  auth: '实名审核',
  ieo: '认购',
  approval: '复核',
  asset: '资产',
  market: '市场',
  plan: '风控计划',
  config: '系统设置',
  announce: '公告',
  installation: '安装',
  preference: '偏好设置',
  view: '视图',
  session: '会话',
  export: '导出任务',
  trade: '现货委托',
  second: '秒合约',
  secondConfig: '秒合约设置',
  signal: '跟单信号',
  follow: '跟单',
  future: '合约订单',
  service: '客服会话',
  message: '客服消息',
  reply: '快捷回复',
  report: '负债证明',
  alarm: '告警',
  command: '平台指令',
  entry: '资金流水',
};

/** The target as text, such as `提现 #12`; empty without a target. */
export function targetText({ targetType, targetId }: { targetType: string | null; targetId: number | null }): string {
  if (targetType === null) return '';
  const label = Object.hasOwn(targetTypes, targetType) ? targetTypes[targetType] : targetType;
  // There is only one installation, so its id is not shown.
  return targetId === null || targetType === 'installation' ? `${label}` : `${label} #${targetId}`;
}
