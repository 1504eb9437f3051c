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
  [ABILITY.enabled]: '账号启用',
  [ABILITY.users]: '用户管理',
  [ABILITY.assets]: '资产调整',
  [ABILITY.withdraw]: '提现审核',
  [ABILITY.identity]: '实名审核',
  [ABILITY.subscription]: '认购审核',
  [ABILITY.orders]: '订单操作',
  [ABILITY.markets]: '市场设置',
  [ABILITY.plans]: '风控计划',
  [ABILITY.platform]: '平台设置',
  [ABILITY.export]: '数据导出',
  [ABILITY.approval]: '审批复核',
  [ABILITY.audit]: '审计查看',
  [ABILITY.headquarters]: '总部人员',
};

/**
 * Abilities that only the top-level admin grants and revokes. The admin resets a holder's password only where a second
 * person confirms it.
 */
export const ADMIN_GRANTED: readonly Ability[] = [
  ABILITY.markets,
  ABILITY.plans,
  ABILITY.platform,
  ABILITY.approval,
  ABILITY.audit,
  ABILITY.headquarters,
];
