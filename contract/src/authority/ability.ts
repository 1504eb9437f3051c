/** Permissions beyond reading. The numbers are stored, and are the `type` of `agent/state`. */
export const ABILITY = {
  enabled: 0,
  users: 1,
  assets: 2,
  withdraw: 3,
  identity: 4,
  subscription: 5,
  orders: 6,
  markets: 7,
  plans: 8,
  platform: 9,
  export: 10,
  approval: 11,
  audit: 12,
  headquarters: 13,
} as const;

export type Ability = (typeof ABILITY)[keyof typeof ABILITY];

export const ABILITIES: readonly Ability[] = Object.values(ABILITY);

export const abilityLabels: Readonly<Record<Ability, string>> = {
  0: '账号启用',
  1: '用户管理',
  2: '资产调整',
  3: '提现审核',
  4: '实名审核',
  5: '认购审核',
  6: '订单操作',
  7: '市场设置',
  8: '风控计划',
  9: '平台设置',
  10: '数据导出',
  11: '审批复核',
  12: '审计查看',
  13: '总部人员',
};

/**
 * Abilities that only the top-level admin grants and revokes. The admin resets a holder's password only where a second
 * person confirms it.
 */
export const ADMIN_GRANTED: readonly Ability[] = [7, 8, 9, 11, 12, 13];
