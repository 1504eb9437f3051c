import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** The system as the reviewer of a withdrawal. No account of an operator can have this name. */
export const AUTO_REVIEWER = '系统';

/** What the system decided about a withdrawal, for its filter. */
export const autoOutcomes = { 1: '系统通过', 2: '待复查', 3: '已复查', 4: '未自动通过' } as const;

/** Setting: while automatic payouts of a coin are stopped, no payout of it is handed over. */
export const AUTO_STOP_HOLDS = 'withdraw.autoStopHolds';
/** Setting: this many payouts of a coin that are unknown because nothing was heard in time stop it; 0 for never. */
export const AUTO_SILENT_COUNT = 'withdraw.autoSilentCount';
/** Setting: one such payout above this value in USDT stops it; 0 for never. */
export const AUTO_SILENT_VALUE = 'withdraw.autoSilentValue';

const onBudgets = { ability: ABILITY.platform, fresh: true } as const;

export const autoPayoutActions = {
  save: {
    ...onBudgets,
    summary: '保存自动打款额度',
    reason: 'optional',
    approval: '放宽自动打款',
    guard: { loosens: '开启自动打款，提高额度，减少复查', tightens: '关闭自动打款，降低额度，增加复查' },
  },
  start: {
    ...onBudgets,
    summary: '恢复自动打款',
    reason: 'required',
    guard: { loosens: '恢复自动打款' },
  },
  stop: {
    summary: '暂停自动打款',
    danger: true,
    ability: ABILITY.withdraw,
    reason: 'optional',
    guard: { tightens: '暂停自动打款' },
  },
  review: {
    summary: '复查自动打款',
    ability: ABILITY.withdraw,
    target: 'withdraw',
    reason: 'optional',
    guard: 'none',
  },
} as const satisfies ActionTable;

export const autoPayoutFacts = {
  actions: autoPayoutActions,
  targets: { autoPayout: { label: '自动打款', path: '/auto-payout?open={id}' } },
  notifications: {
    'autoPayout.stopped': { label: '自动打款已暂停', noun: 'withdraw', rings: true },
    'autoPayout.started': { label: '自动打款已恢复', noun: 'withdraw' },
  },
  waiting: {
    /** Causes for which automatic payouts of a coin are stopped until somebody looks at them. Needs full scope. */
    autoStopped: {
      label: '自动打款暂停的起因',
      query: '',
      ability: ABILITY.platform,
      queue: { targetMinutes: 30 },
    },
  },
} as const satisfies NounFacts;
