import { type Ability, ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { agent, agentStates } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import type { ReactNode } from 'react';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { type Column, listColOf } from '../../ui/columns.ts';

const stateTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
export const stateTag = (state: number) => <StateTag state={state} labels={agentStates} tones={stateTones} />;

const col = listColOf<AgentRow>()(agent.list.list.columns);
const withTitle = (value: string | null) => <span title={value ?? undefined}>{value || '--'}</span>;
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
    col('id', { width: 80, fixed: 'left', locked: true }),
    col('account', { width: 260, fixed: 'left', locked: true, render: (_value, row) => account(row) }),
    col('parentAccount', { width: 140, render: withTitle }),
    col('root', { width: 140, render: withTitle }),
    col('state', { width: 88, render: stateTag }),
    col('userCount', { width: 96, align: 'right', render: count }),
    col('agentCount', { width: 112, align: 'right', render: count }),
    col('depth', { width: 72, align: 'right' }),
    col('abilities', {
      width: 240,
      render: (_value, row) => {
        const names = abilitiesOf(row);
        return <span title={names}>{names}</span>;
      },
    }),
    col('remark', { width: 140, render: withTitle }),
    col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginIp', { width: 140 }),
    col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
  ];
}
