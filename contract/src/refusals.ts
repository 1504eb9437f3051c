import { CODE, type Code } from './envelope.ts';

/** A refusal is a named value: services throw it, and only the HTTP layer turns it into an answer. */
export interface Refusal {
  code: Code;
  msg: string;
}

const refusal = (code: Code, msg: string): Refusal => ({ code, msg });

export const refusals = {
  sessionInvalid: refusal(CODE.sessionInvalid, '登录已失效，请重新登录'),
  wrongCredentials: refusal(CODE.wrongCredentials, '账号、密码或验证码错误'),
  wrongOldPassword: refusal(CODE.wrongCredentials, '旧密码错误'),
  loginLocked: refusal(CODE.tooMany, '尝试次数过多，请稍后再试'),
  loginCrowd: refusal(CODE.tooMany, '登录人数较多，请稍后再试'),
  tooMany: refusal(CODE.tooMany, '操作过于频繁，请稍后再试'),
  exportBusy: refusal(CODE.tooMany, '正在进行的导出过多，请稍后再试'),
  ownExportBusy: refusal(CODE.tooMany, '您有正在进行的导出，请等待完成或取消后再试'),
  exportsKept: refusal(CODE.tooMany, '您的导出任务或文件已达上限，请先在「导出任务」中删除一些'),
  exportNotReady: refusal(CODE.conflict, '文件还没有生成完'),
  exportOver: refusal(CODE.conflict, '任务已结束'),
  exportRunning: refusal(CODE.conflict, '请先取消任务再删除'),
  exportGone: refusal(CODE.conflict, '文件已过期或已删除，请重新导出'),
  exportElsewhere: refusal(CODE.unavailable, '文件不在本台服务器上，请稍后再试或重新导出'),
  exportNarrowed: refusal(CODE.forbidden, '您的权限或数据范围已变化，不能再下载此文件'),
  forbidden: refusal(CODE.forbidden, '没有权限执行此操作'),
  ownRequest: refusal(CODE.forbidden, '不能复核自己提交的申请'),
  approverNotEffective: refusal(CODE.forbidden, '四眼已锁定，您的复核权限尚未生效或未启用一次性验证码'),
  notIndependent: refusal(
    CODE.forbidden,
    '提交人与复核人不独立：其中一方的账号由另一方（或同一人）单独创建、授权或重置',
  ),
  approvedAlready: refusal(CODE.conflict, '您已通过此申请，须由另一名复核员通过'),
  cannotLock: refusal(CODE.conflict, '现在不能锁定四眼'),
  resetLink: refusal(CODE.notFound, '链接无效、已使用或已过期'),
  payoutHeld: refusal(CODE.conflict, '操作员重置了该用户的密码，提现暂缓'),
  onOneself: refusal(CODE.forbidden, '不能复核针对自己的操作'),
  notFound: refusal(CODE.notFound, '记录不存在'),
  noSuchPath: refusal(CODE.notFound, '接口不存在'),
  moved: refusal(CODE.conflict, '记录状态已变化，请刷新后再试'),
  userBusy: refusal(CODE.conflict, '用户仍有未了结的事项，不能删除'),
  userDeleted: refusal(CODE.conflict, '用户已删除'),
  approvalOpen: refusal(CODE.conflict, '该操作已有待复核的申请'),
  approvalClosed: refusal(CODE.conflict, '该申请已处理或已过期'),
  approvalChanged: refusal(CODE.conflict, '申请内容与所看到的不一致，请重新查看'),
  executionFailed: refusal(CODE.conflict, '复核通过，但执行失败'),
  keyReused: refusal(CODE.conflict, '同一请求编号不能用于不同的内容'),
  viewNameTaken: refusal(CODE.conflict, '已有同名的视图'),
  accountTaken: refusal(CODE.conflict, '账号已存在'),
  tooLarge: refusal(CODE.tooLarge, '请求内容过大'),
  mediaType: refusal(CODE.mediaType, '请求内容必须是 JSON'),
  supportUrl: refusal(CODE.invalid, '请先在系统设置中填写平台站点的客服链接地址'),
  invalid: refusal(CODE.invalid, '输入有误'),
  brokenJson: refusal(CODE.invalid, '请求内容不是有效的 JSON'),
  freshCode: refusal(CODE.fresh, '请输入一次性验证码'),
  otpSetupDue: refusal(CODE.fresh, '请先在「安全设置」中启用一次性验证码'),
  wrongPassword: refusal(CODE.wrongCredentials, '密码错误'),
  wrongCode: refusal(CODE.wrongCredentials, '验证码错误或已使用过'),
  otpOn: refusal(CODE.conflict, '一次性验证码已启用'),
  otpOff: refusal(CODE.conflict, '尚未启用一次性验证码'),
  otpNotSetUp: refusal(CODE.conflict, '请先开始设置一次性验证码'),
  sessionOver: refusal(CODE.conflict, '会话已结束'),
  liabilityBusy: refusal(CODE.conflict, '已有正在生成的负债证明，请等待完成'),
  nothingOpen: refusal(CODE.conflict, '该市场没有可撤销的委托'),
  fault: refusal(CODE.fault, '系统繁忙，请稍后再试'),
  unavailable: refusal(CODE.unavailable, '服务暂不可用，请稍后再试'),
} as const;
