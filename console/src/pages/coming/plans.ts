/** What each page that is not there yet will hold, in the operator's words. */
export const plans: Readonly<Record<string, readonly string[]>> = {
  '/user': ['用户列表与资产', '新增用户、冻结与解冻', '交易、认购与跟单开关'],
  '/withdraw': ['提现审核台', '通过、驳回与批量处理', '打款结果跟踪'],
  '/approval': ['待复核的操作', '通过与驳回'],
  '/audit': ['全部操作的审计记录', '审计链校验'],
  '/report': ['每日资金报表', '负债证明'],
  '/service': ['客服会话列表与回复'],
};
