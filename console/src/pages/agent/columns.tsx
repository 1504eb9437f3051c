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
const titled = (value: string | null) => <span title={value ?? undefined}>{value || '--'}</span>;
const count = (value: number) => value.toLocaleString('en-US');

/** What an agent may do, in words; the right to log in is its state. */
export const abilitiesOf = ({ abilities, depth }: Pick<AgentRow, 'abilities' | 'depth'>): string => {
  if (depth === 0) return '全部';
  const words = abilities
    .filter((ability) => ability !== ABILITY.enabled)
    .toSorted((a, b) => a - b)
    .map((ability) => abilityLabels[ability as Ability] ?? String(ability));
  return words.length === 0 ? '无' : words.join('、');
};

/** The columns of the list; `account` draws an account at its place in the tree. */
export function agentColumns(account: (row: AgentRow) => ReactNode): readonly Column<AgentRow>[] {
  return [
    col('id', { width: 80, fixed: 'left', locked: true }),
    col('account', { width: 260, fixed: 'left', locked: true, render: (_value, row) => account(row) }),
    col('parentAccount', { width: 140, render: titled }),
    col('root', { width: 140, render: titled }),
    col('state', { width: 88, render: stateTag }),
    col('userCount', { width: 96, align: 'right', render: count }),
    col('agentCount', { width: 112, align: 'right', render: count }),
    col('depth', { width: 72, align: 'right' }),
    col('abilities', {
      width: 240,
      render: (_value, row) => {
        const words = abilitiesOf(row);
        return <span title={words}>{words}</span>;
      },
    }),
    col('remark', { width: 140, render: titled }),
    col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginIp', { width: 140 }),
    col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
  ];
}
