import {
  type AuthAction,
  type AuthSide,
  type AuthState,
  authCan,
  authLevels,
  authSides,
  authStates,
} from '@hengtai/contract/auth';
import type { AuthRow } from '@hengtai/contract/auth.schema';

/** What each action is called in a row, on the dialog and on its button. */
export const deedWords: Readonly<Record<AuthAction, { short: string; verb: string; danger: boolean }>> = {
  pass: { short: '通过', verb: '通过实名', danger: false },
  reject: { short: '驳回', verb: '驳回实名', danger: true },
};
export const deedNames = Object.keys(deedWords) as AuthAction[];

export const NO_ABILITY = '没有「实名审核」权限';

export const stateText = (state: number): string => authStates[state as AuthState] ?? String(state);
export const levelText = (level: number): string => `${authLevels[level === 2 ? 2 : 1]}认证`;

/** Why the action cannot be done with the row now; undefined when it can. */
export function whyNot(action: AuthAction, row: Pick<AuthRow, 'state'>, able: boolean): string | undefined {
  if (!able) return NO_ABILITY;
  const states: readonly number[] = authCan[action];
  if (states.includes(row.state)) return undefined;
  const open = states.map((state) => `「${stateText(state)}」`).join('或');
  return `当前为「${stateText(row.state)}」，仅${open}可${deedWords[action].short}`;
}

/** What will have happened afterwards, in one sentence. */
export const consequenceOf = (action: AuthAction, row: AuthRow): string =>
  action === 'pass'
    ? `该用户的实名状态变为「${levelText(row.level)}」，平台立即收到通知。`
    : '本次提交结束，用户会看到驳回原因，可以修改后重新提交。';

/** The pictures that a submission has. */
export const sidesOf = (row: AuthRow): AuthSide[] =>
  (Object.keys(authSides) as AuthSide[]).filter((side) => row[side] !== '');
