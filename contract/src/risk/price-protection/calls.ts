import type { IdInput } from '../../wire/schema.ts';
import { ABILITY } from '../../authority/ability.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import { marketTypes } from '../../trading/market/type.ts';
import { compareAmounts } from '../../values/money.ts';
import { priceProtectionActions, priceProtectionStates } from './facts.ts';
import type {
  PriceProtectionHalt,
  PriceProtectionHaltRow,
  PriceProtectionHaltsInput,
  PriceProtectionPermission,
  PriceProtectionPermit,
  PriceProtectionResume,
  PriceProtectionRow,
  PriceProtectionSave,
} from './schema.ts';

/** Halts that the details of a plan show. */
export const HALTS_SHOWN = 50;

/** States in which each action is allowed. */
export const priceProtectionActionStates = actionStatesOf(priceProtectionActions);

export type Band = Pick<PriceProtectionRow, 'minPrice' | 'maxPrice' | 'planMinute'> & { watched: number };

/**
 * Whether a save lets trading go on at prices at which it was halted before, or halts it for a shorter time. While a band
 * is not watched no price halts trading, so no band loosens; nobody approves to switch it on.
 */
export function loosensBand(before: Band, after: Band): boolean {
  if (before.watched === 0 || before.minPrice === null || before.maxPrice === null) return false;
  if (after.watched === 0 || after.planMinute < before.planMinute) return true;
  if (after.minPrice === null || after.maxPrice === null) return true;
  return compareAmounts(after.minPrice, before.minPrice) < 0 || compareAmounts(after.maxPrice, before.maxPrice) > 0;
}

/** Whether agents are granted access that did not have it. Accounts differ by more than case. */
export function loosensGrants(before: readonly string[], after: readonly string[]): boolean {
  const granted = new Set(before.map((account) => account.toLowerCase()));
  return after.some((account) => !granted.has(account.toLowerCase()));
}

const list = {
  filters: [
    { field: 'marketType', label: '市场类型', kind: 'eq', type: 'int', options: marketTypes },
    { field: 'marketName', label: '市场', kind: 'contains', type: 'text' },
    { field: 'planState', label: '状态', kind: 'eq', type: 'int', options: priceProtectionStates },
    { field: 'id', label: '市场编号', kind: 'eq', type: 'id', more: true },
  ],
  sortable: ['sort', 'price'],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'marketType', title: '市场类型', kind: 'state', labels: marketTypes },
    { field: 'planState', title: '状态', kind: 'state', labels: priceProtectionStates },
    { field: 'price', title: '最新价(USDT)', kind: 'amount' },
    { field: 'minPrice', title: '下限(USDT)', kind: 'amount' },
    { field: 'planPrice', title: '参考价(USDT)', kind: 'amount' },
    { field: 'maxPrice', title: '上限(USDT)', kind: 'amount' },
    { field: 'planMinute', title: '暂停时长(分钟)', kind: 'count' },
    { field: 'triggeredAt', title: '最近触发时间', kind: 'time' },
    { field: 'triggerPrice', title: '触发价(USDT)', kind: 'amount' },
    { field: 'haltedBy', title: '手动暂停人', kind: 'operator' },
    { field: 'resumeAt', title: '恢复时间', kind: 'time' },
    { field: 'updatedBy', title: '最后修改人', kind: 'operator' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  views: [{ name: '已触发', query: 'planState=2' }],
} as const;
export const priceProtection = {
  /** Markets whose plans the caller may manage, with one row per kind of trading. */
  list: listCall<PriceProtectionRow>()('market/plan/list', '风控计划列表', list),
  save: action<PriceProtectionSave, PriceProtectionRow>()(priceProtectionActions.save, 'market/plan/save', {
    record: 'list',
  }),
  /** The last halts of a market type, latest first. */
  halts: read<PriceProtectionHaltsInput, PriceProtectionHaltRow[]>()('market/plan/halts', '触发与暂停记录'),
  /** Halts trading at once, at any price. A halt applies to all users and decides no outcome. */
  halt: action<PriceProtectionHalt, PriceProtectionRow>()(priceProtectionActions.halt, 'market/plan/halt'),
  /** Ends a halt early. */
  resume: action<PriceProtectionResume, PriceProtectionRow>()(priceProtectionActions.resume, 'market/plan/resume'),
  /** Agents who may manage the plans of a market; only for the top-level admin. */
  permission: call<IdInput, PriceProtectionPermission>()({
    method: 'POST',
    path: 'plan/permission/detail',
    summary: '风控计划授权',
    kind: 'read',
    ability: ABILITY.plans,
  }),
  permit: action<PriceProtectionPermit, PriceProtectionPermission>()(
    priceProtectionActions.permit,
    'plan/permission/save',
    { record: 'permission' },
  ),
};
