import { ABILITY } from './ability.ts';
import type { AuditRow, AuditVerdict, AuditVerify } from './audit.schema.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import { targetText, targetTypes } from './target.ts';

export const auditResults = {
  200: '成功',
  202: '提交复核',
  401: '凭证错误',
  403: '无权限',
  428: '需要验证码',
  429: '次数过多',
  409: '冲突',
  499: '对方中断',
  500: '系统错误',
} as const;

/** Refused for want of a right, or of a proof of who it is: what somebody tried and may not do. */
export const DENIED: readonly number[] = [401, 403, 428];
export const deniedOptions = { 1: '仅被拒的', 0: '除被拒以外' } as const;

/** How many rows one step of a verification in steps walks. */
export const VERIFY_STEP = 20_000;

/**
 * Words for what was done: every deed and job that leaves an audit row, and every call that may be refused for want of an
 * ability, by the name it is recorded under. A test holds it against what is registered.
 */
export const auditActions: Readonly<Record<string, string>> = {
  'session.login': '登录',
  'session.logout': '退出登录',
  'session.password': '修改自己的密码',
  'session.kick': '结束会话',
  'session.kickOthers': '结束自己的其他会话',
  'otp.setup': '开始设置一次性验证码',
  'otp.confirm': '启用一次性验证码',
  'otp.disable': '停用一次性验证码',
  'otp.recovery': '更换恢复码',
  'otp.fresh': '验证一次性验证码',
  'agent.add': '新增代理',
  'agent.state': '设置代理权限',
  'agent.ieoReviewOpen': '开通认购审核',
  'agent.ieoReviewClose': '收回认购审核',
  'agent.pwdUpdate': '重置代理密码',
  'agent.remark': '修改代理备注',
  'agent.parentChange': '更换上级代理',
  'agent.del': '删除代理',
  'agent.otpReset': '重置代理的一次性验证码',
  'operator.reset': '在服务器上重置操作员登录',
  'user.add': '新增用户',
  'user.pwdUpdate': '重置用户密码',
  'user.enable': '启用用户',
  'user.disable': '冻结用户',
  'user.tradeOpen': '允许交易',
  'user.tradeClose': '禁止交易',
  'user.ieoBuy': '设置认购买入',
  'user.ieoSellOpen': '允许认购卖出',
  'user.ieoSellClose': '禁止认购卖出',
  'user.ai': '设置智能跟单',
  'user.second': '设置收益率档位',
  'user.token': '生成客服链接',
  'user.redeem': '使用客服链接',
  'user.agentChange': '变更所属代理',
  'user.del': '删除用户',
  'user.remark': '修改用户备注',
  'user.noteAdd': '添加备注记录',
  'asset.active.add': '增加资产',
  'asset.active.sub': '扣减资产',
  'asset.frozen.add': '冻结资产',
  'asset.frozen.sub': '解冻资产',
  'asset.preview': '资产调整预览',
  'recharge.hold': '挂起充值',
  'recharge.release': '放行充值',
  'fund.check': '标记已核对',
  'fund.doubt': '标记存疑',
  'fund.reset': '撤销核对',
  'withdraw.pass': '通过提现',
  'withdraw.reject': '驳回提现',
  'withdraw.retry': '重新打款',
  'withdraw.refund': '退回提现',
  'withdraw.resolve': '确认打款结果',
  'auth.pass': '通过实名',
  'auth.reject': '驳回实名',
  'auth.reveal': '查看完整实名信息',
  'auth.image': '查看证件照片',
  'ieo.pass': '通过认购',
  'ieo.reject': '驳回认购',
  'approval.pass': '复核通过',
  'approval.reject': '复核驳回',
  'approval.expire': '复核过期',
  'audit.list': '查看审计日志',
  'audit.verify': '校验审计链',
  'config.list': '查看系统设置',
  'config.save': '保存设置',
  'announce.list': '查看公告',
  'announce.detail': '查看公告详情',
  'announce.add': '新增公告',
  'announce.save': '保存公告',
  'announce.del': '删除公告',
  'installation.live': '上线',
  'market.save': '保存市场',
  'plan.save': '保存风控计划',
  'plan.halt': '手动暂停交易',
  'plan.resume': '手动恢复交易',
  'plan.trigger': '价格保护触发',
  'plan.resumed': '价格保护到时恢复',
  'plan.permission': '查看风控计划授权',
  'plan.permit': '设置风控计划授权',
  export: '导出',
  'export.job': '新建导出任务',
  'export.list': '查看导出任务',
  'export.cancel': '取消导出任务',
  'export.remove': '删除导出任务',
  'export.download': '下载导出文件',
  'preference.save': '保存偏好设置',
  'view.save': '保存视图',
  'view.del': '删除视图',
  'trade.cancel': '撤销委托',
  'trade.cancelAll': '撤销市场全部委托',
  'trade.preview': '市场撤单预览',
};

export const actionText = (action: string): string =>
  Object.hasOwn(auditActions, action) ? (auditActions[action] ?? action) : action;

const list = {
  filters: [
    { field: 'operator', label: '操作员', kind: 'prefix', type: 'text' },
    { field: 'action', label: '操作', kind: 'eq', type: 'text', options: auditActions },
    { field: 'result', label: '结果', kind: 'eq', type: 'int', options: auditResults },
    { field: 'account', label: '用户账号', kind: 'prefix', type: 'text' },
    { field: 'denied', label: '被拒的尝试', kind: 'eq', type: 'int', options: deniedOptions, more: true },
    { field: 'targetType', label: '对象类型', kind: 'eq', type: 'text', options: targetTypes, more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'int', more: true },
    { field: 'requestId', label: '请求编号', kind: 'eq', type: 'text', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'int', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'operator', title: '操作员', kind: 'text' },
    { field: 'action', title: '操作', kind: 'state', labels: auditActions },
    { field: 'result', title: '结果', kind: 'state', labels: auditResults },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '用户账号', kind: 'text' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'ip', title: 'IP', kind: 'text' },
    { field: 'requestId', title: '请求编号', kind: 'hash' },
    { field: 'sealed', title: '封存序号', kind: 'count' },
    { field: 'agent', title: '所属代理', kind: 'text' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'sessionId', title: '会话', kind: 'id' },
    { field: 'approvalId', title: '复核编号', kind: 'id' },
    { field: 'userAgent', title: '浏览器', kind: 'text' },
    { field: 'before', title: '变更前', kind: 'json' },
    { field: 'after', title: '变更后', kind: 'json' },
  ],
  views: [{ name: '被拒的尝试', query: 'denied=1' }],
} as const;

export const audit = {
  list: call<ListInput<typeof list>, Page<AuditRow>>()({
    method: 'GET',
    path: 'audit/list',
    summary: '审计日志',
    kind: 'list',
    ability: ABILITY.audit,
    list,
  }),
  verify: call<AuditVerify, AuditVerdict>()({
    method: 'POST',
    path: 'audit/verify',
    summary: '校验审计链',
    kind: 'read',
    ability: ABILITY.audit,
  }),
};
