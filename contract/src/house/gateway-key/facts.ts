import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const gatewayKeyActions = {
  save: {
    summary: '保存网关密钥（仅限顶级管理员）',
    reason: 'optional',
    fresh: true,
    audit: '保存网关密钥',
    guard: {
      loosens: '新增密钥，增加权限，延长有效期，放宽或取消来源地址，不再要求一次性随机数，改名',
      tightens: '减少权限，缩短有效期，收窄来源地址，要求一次性随机数',
    },
  },
  issue: {
    summary: '签发网关密钥（仅限顶级管理员）',
    fresh: true,
    audit: '签发网关密钥',
    guard: { tightens: '密钥的权限已在新增时复核；每个密钥只签发一次' },
  },
  platformSave: {
    summary: '保存交易平台（仅限顶级管理员）',
    reason: 'optional',
    fresh: true,
    audit: '保存交易平台',
    guard: { loosens: '新增平台，增加市场，改名', tightens: '减少市场' },
  },
  revoke: {
    summary: '吊销网关密钥（仅限顶级管理员）',
    danger: true,
    fresh: true,
    audit: '吊销网关密钥',
    guard: { tightens: '立即失效' },
  },
} as const satisfies ActionTable;

export const gatewayKeyFacts = {
  actions: gatewayKeyActions,
  targets: {
    gatewayKey: { label: '网关密钥', path: '/config/gateway-key' },
    gatewayPlatform: { label: '交易平台', path: '/config/gateway-key' },
  },
} as const satisfies NounFacts;
