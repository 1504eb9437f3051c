/** Labels of the terms of withdrawals. Here, since the console shows them where it does not load all labels of fields. */
export const termLabels = {
  withdrawState: '提现',
  singleMin: '单笔最小',
  singleMax: '单笔最大',
  dayAmount: '每日额度',
  dayCount: '每日笔数',
  feeFixed: '固定手续费',
  feeRate: '手续费率',
} as const;
