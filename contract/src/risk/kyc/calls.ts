import { ABILITY } from '../../authority/ability.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, call, listCall, read } from '../../wire/endpoint.ts';
import { kycActions } from './facts.ts';
import type { KycDetail, KycFind, KycFound, KycImage, KycRevealed, KycRow } from './schema.ts';
import type { BulkResult, ActionInput, BulkInput, IdInput, ReasonInput } from '../../wire/schema.ts';

export const KYC = { waiting: 0, passed: 1, rejected: 2 } as const;
export const kycStates = { 0: '待审核', 1: '已通过', 2: '已驳回' } as const;
export type KycState = keyof typeof kycStates;

export const kycIdTypes = { 1: '身份证', 2: '护照', 3: '驾照' } as const;
export const KYC_ID_TYPE = { identityCard: 1, passport: 2, licence: 3 } as const;
export const KYC_LEVEL = { basic: 1, advanced: 2 } as const;
export const kycLevels = { 1: '初级', 2: '高级' } as const;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const kycActionStates = actionStatesOf(kycActions) satisfies Record<string, readonly KycState[]>;
export type KycAction = keyof typeof kycActionStates;

export const kycRejectReasons = kycActions.reject.reasons;

/** Maximum bytes of a picture. */
export const KYC_IMAGE_BYTES_MAX = 1_572_864;

/** Maximum submissions in an answer of `auth/find`. */
export const KYC_FOUND_MAX = 20;

const STAR = '*';

/** Masks a name: the first letter of each word and two stars, so that its length stays hidden. */
export function maskName(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => Array.from(word));
  return words.map(([first = '', ...rest]) => `${rest.length > 0 ? first : ''}${STAR.repeat(2)}`).join(' ');
}

/**
 * Masks a document number: keeps enough to distinguish two numbers, but less than half. An identity card number (身份证)
 * keeps its first three and last four characters.
 */
export function maskIdNumber(number: string): string {
  const characters = Array.from(number);
  const { length } = characters;
  const [head, tail]: [number, number] = length >= 15 ? [3, 4] : length >= 8 ? [1, 2] : [0, 1];
  const visible = length > head + tail ? { head, tail } : { head: 0, tail: 0 };
  const stars = STAR.repeat(length - visible.head - visible.tail);
  return [...characters.slice(0, visible.head), stars, ...characters.slice(length - visible.tail)].join('');
}

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: kycStates },
    { field: 'level', label: '认证等级', kind: 'eq', type: 'int', options: kycLevels },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'idType', label: '证件类型', kind: 'eq', type: 'int', options: kycIdTypes, more: true },
    { field: 'country', label: '国家/地区', kind: 'eq', type: 'text', more: true },
    { field: 'by', label: '审核人', kind: 'eq', type: 'text', hint: '审核人的完整账号，不区分大小写', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: kycStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'level', title: '认证等级', kind: 'state', labels: kycLevels },
    { field: 'name', title: '姓名', kind: 'text' },
    { field: 'idNumber', title: '证件号码', kind: 'text' },
    { field: 'createdAt', title: '提交时间', kind: 'time' },
    { field: 'idType', title: '证件类型', kind: 'state', labels: kycIdTypes },
    { field: 'country', title: '国家/地区', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'by', title: '审核人', kind: 'operator' },
    { field: 'reviewedAt', title: '审核时间', kind: 'time' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['reviewedAt'],
  views: [
    { name: '待审核', query: 'state=0' },
    { name: '高级待审核', query: 'state=0&level=2' },
    { name: '已驳回', query: 'state=2' },
  ],
} as const;

export const kyc = {
  list: listCall<KycRow>()('auth/list', '用户认证', list),
  detail: read<IdInput, KycDetail>()('auth/detail', '实名审核详情', { target: 'auth' }),
  image: call<KycImage, null>()({
    method: 'GET',
    path: 'auth/image',
    summary: '证件照片',
    kind: 'image',
    ability: ABILITY.identity,
    target: 'auth',
    targetBy: 'id',
    reveals: ['image'],
  }),
  reveal: action<ReasonInput, KycRevealed>()(kycActions.reveal, 'auth/reveal', {
    reveals: ['name', 'idNumber'],
    secret: true,
  }),
  /** Submissions with this name or number, always masked. A POST, so that neither is in an address or a log of requests. */
  find: action<KycFind, KycFound>()(kycActions.find, 'auth/find', { lookup: true }),
  pass: action<ActionInput, KycRow>()(kycActions.pass, 'auth/review/pass'),
  reject: action<ActionInput, KycRow>()(kycActions.reject, 'auth/review/reject'),
  passMany: bulkAction<BulkInput, BulkResult>()(kycActions.pass, 'auth/review/pass/many'),
  rejectMany: bulkAction<BulkInput, BulkResult>()(kycActions.reject, 'auth/review/reject/many'),
};
