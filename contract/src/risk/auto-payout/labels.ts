// Apart from the facts, which every page of the console loads.

/** Why a withdrawal was left to people. */
export const autoReasons = {
  stopped: '该币种的自动打款已暂停',
  off: '该币种的自动打款已关闭',
  noRules: '没有运行中的规则',
  rulesChanged: '申请之后规则有变更',
  rule: '被规则拦截或禁止自动通过',
  people: '规则要求多人审核',
  screenWait: '没有筛查答复',
  screenHit: '未通过筛查',
  late: '等待过久',
  frozen: '用户已冻结或已删除',
  held: '用户的打款已暂缓',
  alarm: '用户有未处理的告警',
  shortfall: '充值冲正的差额未处理',
  unexplained: '存在待核实的打款',
  addressFormat: '地址格式不符',
  memoMissing: '备注缺失',
  relatedListed: '关联地址在名单中',
  keying: '用户的地址记录补齐中',
  firstAddress: '首次使用的地址，或无法确认',
  level: '超过该认证等级的单笔额度',
  userDay: '超过单个用户的每日额度',
  dayAmount: '超过每日额度',
  dayCount: '超过每日笔数',
  policy: '按复核策略须由他人复核',
  priceOld: '价格超过时限',
  mandate: '没有适用的签名授权',
  state: '已由他人处理或用户已撤销',
  error: '处理出错',
} as const;

/** Why automatic payouts of a coin stopped. */
export const autoStops = {
  operator: '操作员暂停',
  failed: '打款失败',
  unknown: '打款结果不明',
  silent: '多笔打款无回应',
  large: '大额打款无回应',
  rule: '命中要求暂停的规则',
  alarm: '暂停该币种的告警',
} as const;

/** The fields of a budget. Amounts are in the coin. */
export const autoBudgetLabels = {
  on: '自动打款',
  dayAmount: '每日额度',
  dayCount: '每日笔数',
  userDayAmount: '单个用户的每日额度',
  largestUnverified: '未认证单笔额度',
  largestBasic: '初级认证单笔额度',
  largestAdvanced: '高级认证单笔额度',
  firstByHand: '首次地址',
  reviewPercent: '复查比例',
} as const;
