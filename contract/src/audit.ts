import { ABILITY } from './ability.ts';
import type { AuditRow, AuditVerdict } from './audit.schema.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import type { Nothing } from './session.schema.ts';

export const auditResults = {
  200: '成功',
  202: '提交复核',
  401: '凭证错误',
  403: '无权限',
  428: '需要验证码',
  409: '冲突',
} as const;

/** Words for what was done; the action names are those of the calls and jobs. */
export const auditActions: Readonly<Record<string, string>> = {
  'session.login': '登录',
  'session.logout': '退出登录',
  'session.password': '修改自己的密码',
  'agent.add': '新增代理',
  'agent.state': '设置代理权限',
  'user.add': '新增用户',
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
  'approval.pass': '复核通过',
  'approval.reject': '复核驳回',
  'approval.expire': '复核过期',
  'preference.save': '保存偏好设置',
  'view.save': '保存视图',
  'view.del': '删除视图',
};

const list = {
  filters: [
    { field: 'operator', label: '操作员', kind: 'prefix', type: 'text' },
    { field: 'action', label: '操作', kind: 'eq', type: 'text', options: auditActions },
    { field: 'result', label: '结果', kind: 'eq', type: 'int', options: auditResults },
    { field: 'account', label: '用户账号', kind: 'prefix', type: 'text', more: true },
    { field: 'targetType', label: '对象类型', kind: 'eq', type: 'text', more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'int', more: true },
    { field: 'requestId', label: '请求编号', kind: 'eq', type: 'text', more: true },
  ],
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
  verify: call<Nothing, AuditVerdict>()({
    method: 'POST',
    path: 'audit/verify',
    summary: '校验审计链',
    kind: 'read',
    ability: ABILITY.audit,
  }),
};
