import { APPROVAL, approvalStates } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { ABILITY, abilityLabels } from '@hengtai/contract/ability';

export type Decision = 'pass' | 'reject';

export const decisions: readonly Decision[] = ['pass', 'reject'];

export const decisionWords: Readonly<Record<Decision, { short: string; verb: string; danger: boolean }>> = {
  pass: { short: '通过', verb: '通过复核', danger: false },
  reject: { short: '驳回', verb: '驳回', danger: true },
};

export const rejectReasons = ['信息不符，请核实', '金额有误', '风险未排除', '请与用户确认后再提交'];

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.approval]}」权限`;

export const stateText = (state: number): string =>
  Object.entries(approvalStates).find(([key]) => Number(key) === state)?.[1] ?? String(state);

interface Decider {
  account: string;
  able: boolean;
}

/** Why this operator cannot decide the request; undefined when it can. */
export function whyNot(row: Pick<ApprovalRow, 'state' | 'maker'>, { account, able }: Decider): string | undefined {
  if (!able) return NO_ABILITY;
  if (row.state !== APPROVAL.open) return `当前为「${stateText(row.state)}」，仅「${stateText(APPROVAL.open)}」可复核`;
  return row.maker === account ? '不能复核自己提交的操作' : undefined;
}

/** Pages that show a target by its id. */
const places: Readonly<Record<string, { word: string; path: (id: number) => string }>> = {
  withdraw: { word: '提现', path: (id) => `/withdraw?open=${id}` },
  recharge: { word: '充值', path: (id) => `/recharge?id=${id}` },
  user: { word: '用户', path: (id) => `/user?id=${id}` },
  agent: { word: '代理', path: (id) => `/agent?open=${id}` },
};

export function placeOf({ targetType, targetId }: Pick<ApprovalRow, 'targetType' | 'targetId'>) {
  const place = places[targetType];
  return { text: `${place?.word ?? targetType} #${targetId}`, path: place?.path(targetId) };
}

const words: Readonly<Record<string, string>> = {
  id: '编号',
  reason: '原因',
  paid: '打款结果',
  txHash: '交易哈希',
  amount: '数量',
  userId: '用户编号',
  marketId: '币种编号',
  platform: '账户类型',
  state: '状态',
  type: '类型',
};

/** The stored input, field by field, as it will be executed. */
export function inputOf({ input }: Pick<ApprovalRow, 'input'>): { field: string; label: string; text: string }[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).map(([field, value]: [string, unknown]) => ({
    field,
    label: words[field] ?? field,
    text: field === 'paid' ? (value === true ? '已打款' : '未打款') : textOf(value),
  }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
