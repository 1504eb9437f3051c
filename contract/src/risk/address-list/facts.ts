import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Lists of addresses. A sanctions list is replaced by the next file; the others are added to. */
export const addressLists = { 1: '黑名单', 2: '白名单', 3: '制裁名单' } as const;

export const ADDRESS_IMPORT = { draft: 0, applied: 1 } as const;
export const addressImportStates = { 0: '待应用', 1: '已应用' } as const;

const onLists = { ability: ABILITY.platform, fresh: true } as const;

export const addressListActions = {
  add: {
    ...onLists,
    summary: '加入名单',
    reason: 'required',
    guard: { loosens: '加入白名单', tightens: '加入黑名单' },
  },
  remove: {
    ...onLists,
    summary: '移出名单',
    danger: true,
    reason: 'required',
    guard: { loosens: '移出黑名单或制裁名单', tightens: '移出白名单' },
  },
  upload: { summary: '上传名单文件', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
  apply: {
    ...onLists,
    summary: '应用名单文件',
    reason: 'optional',
    guard: { loosens: '文件移除名单中的地址', tightens: '文件只增加地址' },
  },
} as const satisfies ActionTable;

export const addressListFacts = {
  actions: addressListActions,
  targets: {
    addressList: { label: '名单地址', path: '/address-list' },
    addressImport: { label: '名单文件', path: '/address-list', states: addressImportStates },
  },
} as const satisfies NounFacts;
