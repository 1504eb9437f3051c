import { ABILITIES, ABILITY } from '@hengtai/contract/authority/ability';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { expect, test } from 'vitest';
import { SWITCHES, grantConsequence, actionDisabledReasonOf, grantDisabledReasonOf } from './words.ts';

const rowOf = (abilities: number[] = [], depth = 2): AgentRow => ({ id: 7, depth, abilities }) as AgentRow;
const me = (abilities: number[], top = false) => ({ id: 3, top, abilities });

test('every ability except the login has a switch', () => {
  expect(SWITCHES).toHaveLength(ABILITIES.length - 1);
});

test('names the most specific reason why an ability cannot be granted', () => {
  const below = { row: rowOf(), changeable: true };
  expect(grantDisabledReasonOf(me([], true), below, ABILITY.approval)).toBeUndefined();
  expect(grantDisabledReasonOf(me([3]), below, ABILITY.withdraw)).toBeUndefined();
  expect(grantDisabledReasonOf(me([]), below, ABILITY.withdraw)).toContain('自己没有「提现审核」');
  expect(grantDisabledReasonOf(me([11]), below, ABILITY.approval)).toContain('顶级管理员');
  expect(grantDisabledReasonOf(me([3, 13]), { ...below, changeable: false }, ABILITY.withdraw)).toContain('自己下级');
  expect(grantDisabledReasonOf({ ...me([3]), id: 7 }, below, ABILITY.withdraw)).toContain('自己');
  expect(grantDisabledReasonOf(me([13]), { row: rowOf([], 0), changeable: false }, ABILITY.withdraw)).toContain(
    '顶级管理员',
  );
});

test('only the admin resets the password of a checker', () => {
  expect(actionDisabledReasonOf(me([]), rowOf([ABILITY.approval]), 'password', true)).toContain('复核员');
  expect(actionDisabledReasonOf(me([]), rowOf([ABILITY.approval]), 'remark', true)).toBeUndefined();
  expect(actionDisabledReasonOf(me([], true), rowOf([ABILITY.approval]), 'password', true)).toBeUndefined();
  expect(actionDisabledReasonOf(me([13]), rowOf(), 'remark', undefined)).toBe('正在查看…');
});

test('the text of a revocation gives the number of agents below', () => {
  expect(grantConsequence(0, 3)).toContain('下级 3 个代理');
  expect(grantConsequence(0, 0)).not.toContain('个代理收回');
});
