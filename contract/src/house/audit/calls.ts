import { ABILITY } from '../../authority/ability.ts';
import { allActions, auditLabelOf } from '../../authority/actions.ts';
import { auditRecordText } from './words.ts';
import type { AuditRow, AuditVerdict, AuditVerify } from './schema.ts';
import { call, listCall } from '../../wire/endpoint.ts';
import { auditTargetTypes, targetText } from '../../authority/target.ts';

export const auditResults = {
  200: '成功',
  202: '提交复核',
  401: '凭证错误',
  403: '无权限',
  428: '需要验证码',
  429: '次数过多',
  409: '冲突',
  499: '客户端中断',
  500: '系统错误',
} as const;

/** The reason recorded for a call that expects one and was made without. */
export const NO_REASON = '未填写';

/** Results of calls that were refused for a missing permission or a failed authentication. */
export const DENIED: readonly number[] = [401, 403, 428];
/** Actions about an operator's own screen, which the default view of the log leaves out. */
export const ROUTINE_ACTIONS: readonly string[] = ['service.read', 'preference.save', 'view.save', 'view.del'];
const routineOptions = { 0: '不显示', 1: '仅显示' } as const;
const deniedOptions = { 1: '仅被拒绝的', 0: '不含被拒绝的' } as const;

/** Actions of the trading platform, which is no operator. */
const PLATFORM_ACTIONS: readonly string[] = ['market.saved'];
/** Who acted if no operator did. */
export const otherActor = (action: string): string => (PLATFORM_ACTIONS.includes(action) ? '交易平台' : '系统');

/** Setting: heads of the audit chain are sent to the platform. */
export const HEADS_TO_PLATFORM = 'audit.headsToPlatform';
/** Rows verified per step. */
export const VERIFY_STEP = 20_000;

/**
 * Labels of what is recorded without an action: jobs, host commands and exports, and refused reads. A read is named by what
 * the operator wanted to do.
 */
const otherAuditActions: Readonly<Record<string, string>> = {
  'session.reused': '旧令牌被再次使用',
  'operator.oidc': '在服务器上关联企业账号',
  'operator.allowPassword': '在服务器上临时允许密码登录',
  'operator.reset': '在服务器上重置操作员登录',
  'operator.demoDisabled': '停用演示复核账号（模拟平台已关闭）',
  'holds.correct': '在服务器上更正无主冻结',
  'audit.key': '审计链换用新密钥',
  'passkey.cloned': '通行密钥计数倒退',
  'otp.key': '一次性验证码换用新密钥',
  'user.redeem': '使用客服链接',
  'market.saved': '交易平台保存市场',
  'asset.preview': '资产调整预览',
  'auth.image': '查看证件照片',
  'approval.fourEyes': '查看四眼状态',
  'approval.operators': '查看其他操作员',
  'fourEyes.unlock': '在服务器上解除四眼锁定',
  'signing.reset': '在服务器上重置签名名册',
  'signing.state': '查看签名打款',
  'fourEyes.appoint': '在服务器上指定复核员',
  'approval.expire': '复核过期',
  'audit.list': '查看审计日志',
  'audit.verify': '校验审计链',
  'config.list': '查看系统设置',
  'config.history': '查看设置变更记录',
  'config.diff': '对比设置',
  'announce.list': '查看公告',
  'announce.detail': '查看公告详情',
  'announce.image': '查看公告图片',
  'announce.published': '公告定时发布',
  'plan.trigger': '价格保护触发',
  'plan.resumed': '价格保护到时恢复',
  'plan.permission': '查看风控计划授权',
  export: '导出',
  'export.job': '新建导出任务',
  'export.list': '查看导出任务',
  'export.download': '下载导出文件',
  'schedule.list': '查看定时导出',
  'schedule.failed': '定时导出未执行',
  'trade.preview': '市场撤单预览',
  'future.cancelPreview': '合约市场撤单预览',
  'signal.ended': '信号到期结束',
  'service.operators': '查看可处理会话的操作员',
  'service.replies': '查看快捷回复',
  'report.made': '负债证明已生成',
  'report.work': '查看操作员工作报表',
  'report.reviews': '查看审核时效报表',
  'gatewayKey.list': '查看网关密钥',
  'withdraw.recalled': '冻结用户时撤回打款',
  'withdraw.autoPass': '系统通过提现',
  'autoPayout.stopped': '自动打款自行暂停',
  'house.list': '查看平台账户',
  'house.entries': '查看平台账户明细',
  'house.preview': '平台账户划转预览',
  'walletTransfer.list': '查看钱包调拨',
  'walletTransfer.preview': '钱包调拨预览',
  'autoPayout.list': '查看自动打款',
  'autoPayout.detail': '查看自动打款额度',
  'autoPayout.whatIf': '推算自动打款额度',
  'autoPayout.startWhatIf': '推算恢复自动打款',
  'withdrawLimit.list': '查看提现限额与手续费',
  'withdrawLimit.versions': '查看提现限额的版本',
  'addressList.list': '查看地址名单',
  'addressList.entries': '查看名单中的地址',
  'addressList.detail': '查看名单文件的差异',
  'rule.list': '查看提现规则',
  'rule.detail': '查看规则详情',
  'rule.backtest': '回测规则',
  'approval.backtest': '回测待复核的规则',
  'addressList.recent': '查看近期提现到名单中的地址',
};

const groupOf = (name: string): string | undefined => name.split('.')[0];
const recorded = [
  ...allActions.map((one) => [one.name, auditLabelOf(one)] as const),
  ...Object.entries(otherAuditActions),
];
/** The first parts of the names, so that what happens to the same records is together in the filter of the audit log. */
const groups = [...new Set(recorded.map(([name]) => groupOf(name)))];

/**
 * Labels of recorded actions: every mutation and job that writes an audit row, and every call that may be refused for a
 * missing ability. A test compares them with the registered calls and jobs.
 */
export const auditActions: Readonly<Record<string, string>> = Object.fromEntries(
  recorded.toSorted(([a], [b]) => groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b))),
);

export const actionText = (action: string): string =>
  Object.hasOwn(auditActions, action) ? (auditActions[action] ?? action) : action;

/** The recorded states of a row in words. */
export const beforeText = (row: AuditRow, timeText: (ms: number) => string): string =>
  auditRecordText(row, row.before, timeText);
export const afterText = (row: AuditRow, timeText: (ms: number) => string): string =>
  auditRecordText(row, row.after, timeText);

const list = {
  filters: [
    { field: 'operator', label: '操作员', kind: 'prefix', type: 'text' },
    { field: 'action', label: '操作', kind: 'eq', type: 'text', options: auditActions },
    { field: 'result', label: '结果', kind: 'eq', type: 'int', options: auditResults },
    { field: 'account', label: '用户账号', kind: 'prefix', type: 'text' },
    { field: 'denied', label: '被拒绝的操作', kind: 'eq', type: 'int', options: deniedOptions, more: true },
    {
      field: 'routine',
      label: '日常记录',
      kind: 'eq',
      type: 'int',
      options: routineOptions,
      hint: '已读标记、偏好和视图的记录',
    },
    { field: 'targetType', label: '对象类型', kind: 'eq', type: 'text', options: auditTargetTypes, more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'id', more: true },
    { field: 'requestId', label: '请求编号', kind: 'eq', type: 'text', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'operator', title: '操作员', kind: 'operator' },
    { field: 'action', title: '操作', kind: 'state', labels: auditActions },
    { field: 'result', title: '结果', kind: 'state', labels: auditResults },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '用户账号', kind: 'user' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'ip', title: 'IP', kind: 'text' },
    { field: 'requestId', title: '请求编号', kind: 'hash' },
    { field: 'sealed', title: '封存序号', kind: 'count' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'sessionId', title: '会话', kind: 'id' },
    { field: 'approvalId', title: '复核编号', kind: 'id' },
    { field: 'userAgent', title: '浏览器', kind: 'text' },
    { field: 'before', title: '变更前', kind: 'text', text: beforeText },
    { field: 'after', title: '变更后', kind: 'text', text: afterText },
  ],
  views: [
    { name: '主要操作', query: 'routine=0' },
    { name: '被拒绝的操作', query: 'denied=1' },
  ],
} as const;

export const audit = {
  list: listCall<AuditRow>()('audit/list', '审计日志', list, { ability: ABILITY.audit }),
  verify: call<AuditVerify, AuditVerdict>()({
    method: 'POST',
    path: 'audit/verify',
    summary: '校验审计链',
    kind: 'read',
    ability: ABILITY.audit,
  }),
};
