export const RECHARGE = { waiting: 0, credited: 1, failed: 2, held: 3, reversed: 4 } as const;

export const rechargeStates = { 0: '待确认', 1: '已到账', 2: '已失败', 3: '风控挂起', 4: '已冲正' } as const;
export type RechargeState = keyof typeof rechargeStates;
