import { type Ability, ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { agent, agentStates } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { ReactNode } from 'react';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { type Column, listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';

const stateTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
export const stateTag = (state: number) => <StateTag state={state} labels={agentStates} tones={stateTones} />;

const col = listColOf<AgentRow>()(agent.list.list.columns);
const count = (value: number) => value.toLocaleString('en-US');

/** Names of the abilities of an agent, without the login ability, which the state shows. */
export const abilitiesOf = ({ abilities, depth }: Pick<AgentRow, 'abilities' | 'depth'>): string => {
  if (depth === 0) return '全部';
  const names = abilities
    .filter((ability) => ability !== ABILITY.enabled)
    .toSorted((a, b) => a - b)
    .map((ability) => abilityLabels[ability as Ability] ?? String(ability));
  return names.length === 0 ? '无' : names.join('、');
};

/** Columns of the list. `account` renders the account cell, which depends on the tree. */
export function agentColumns(account: (row: AgentRow) => ReactNode): readonly Column<AgentRow>[] {
  return [
    col('id', { width: 72, fixed: 'left', locked: true }),
    col('account', { width: 220, fixed: 'left', locked: true, render: (_value, row) => account(row) }),
    col('parentAccount', { width: 140, under: 'account', render: agentCell }),
    col('root', { width: 140, drawer: true, render: agentCell }),
    col('state', { width: 84, render: stateTag }),
    col('userCount', { width: 100, align: 'right', render: count }),
    col('agentCount', { width: 112, under: 'userCount', align: 'right', render: count }),
    col('depth', { width: 72, under: 'state', align: 'right' }),
    col('abilities', {
      width: 170,
      render: (_value, row) => {
        const names = abilitiesOf(row);
        return textCell(names);
      },
    }),
    col('remark', { width: 140, under: 'abilities', render: textCell }),
    col('createdAt', { width: 104, drawer: true, render: timeCell }),
    col('lastLoginAt', { width: 112, render: timeCell }),
    col('lastLoginIp', { width: 140, under: 'lastLoginAt' }),
    col('updatedAt', { width: 104, hidden: true, render: timeCell }),
  ];
}
