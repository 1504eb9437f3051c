import type { Condition, RuleActions, RuleRow } from '@hengtai/contract/risk/rule/schema';
import { type ApiResponse, type TestServer, call, unique } from './server.ts';

export const noActions: RuleActions = {
  points: 0,
  hold: false,
  people: 0,
  manual: false,
  openCase: false,
  stopCoin: false,
};

export interface TestRule {
  name?: string;
  conditions?: Condition[];
  actions?: Partial<RuleActions>;
  unknownHits?: boolean;
}

/** Every withdrawal has an amount above 0. */
export const always: Condition = { fact: 'amount', op: 'gt', value: '0' };

export const ruleInput = ({ name, conditions = [always], actions, unknownHits = false }: TestRule = {}) => ({
  name: name ?? unique('规则 '),
  conditions,
  actions: { ...noActions, ...actions },
  unknownHits,
});

export const moveRule = (
  server: TestServer,
  token: string,
  { id, updatedAt }: Pick<RuleRow, 'id' | 'updatedAt'>,
  state: number,
): Promise<ApiResponse<RuleRow>> =>
  call<RuleRow>(server, 'POST', 'rule/state', { id, state, seen: updatedAt }, { token });

/** Saves a rule and moves it to the state. */
export async function makeRule(server: TestServer, token: string, rule: TestRule, state = 2): Promise<RuleRow> {
  const saved = await call<RuleRow>(server, 'POST', 'rule/save', ruleInput(rule), { token });
  if (saved.code !== 200) throw new Error(`rule/save: ${saved.msg}`);
  if (state === 0) return saved.data;
  const moved = await moveRule(server, token, saved.data, state);
  if (moved.code !== 200) throw new Error(`rule/state: ${moved.msg}`);
  return moved.data;
}
