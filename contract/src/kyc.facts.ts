import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';

/** Cards whose numbers say something about their holder. */
export const kycDocumentKinds = {
  resident: '居民身份证',
  hongKong: '港澳台居民居住证（香港）',
  macau: '港澳台居民居住证（澳门）',
  taiwan: '港澳台居民居住证（台湾）',
  permanent: '外国人永久居留身份证',
  other: '其他证件',
} as const;
export type KycDocumentKind = keyof typeof kycDocumentKinds;
/** What is odd about a document number. It refuses nothing. */
export const kycDocumentMarks = {
  check: '校验码不符',
  birth: '出生日期不存在',
  minor: '未满 18 岁',
  name: '姓名不含汉字',
  country: '与填写的国家/地区不符',
  type: '与填写的证件类型不符',
} as const;
export type KycDocumentMark = keyof typeof kycDocumentMarks;
export const kycSexes = { 1: '男', 2: '女' } as const;

const onSubmission = { ability: ABILITY.identity, target: 'auth', guard: 'none' } as const;

export const kycActions = {
  reveal: {
    ...onSubmission,
    summary: '查看完整实名信息',
    reason: 'required',
    reasons: ['核对证件信息', '用户来电核实', '配合合规调查'],
  },
  find: { ability: ABILITY.identity, guard: 'none', summary: '按姓名或证件号查找', audit: '查找实名信息' },
  pass: {
    ...onSubmission,
    summary: '通过实名',
    short: '通过',
    from: [0],
    reason: 'optional',
    guard: { loosens: '使用户的提现或自动打款上限大幅提高' },
  },
  reject: {
    ...onSubmission,
    summary: '驳回实名',
    short: '驳回',
    danger: true,
    from: [0],
    reason: 'expected',
    reasons: ['证件照片模糊', '证件信息与填写不一致', '证件已过期', '缺少手持证件照', '证件已被其他账号使用'],
  },
} as const satisfies ActionTable;

export const kycFacts = {
  actions: kycActions,
  targets: { auth: { label: '实名审核', path: '/auth?open={id}' } },
  notifications: {
    'auth.submitted': { label: '新实名申请', rings: true },
    'auth.passed': { label: '实名已通过' },
    'auth.rejected': { label: '实名已驳回' },
    'auth.overdue': { label: '实名超时未处理', rings: true },
  },
} as const satisfies NounFacts;
