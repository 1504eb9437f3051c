import { userAuthLabels, userStates, userSwitches, user, userPayout } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const userTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
const switchTones: Readonly<Record<number, Tone>> = { 1: 'idle', 0: 'wait' };
const authTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'wait', 2: 'good', 3: 'good', 4: 'bad' };

const col = listColOf<UserRow>()(user.list.list.columns);
const onOff = (value: number) => <StateTag state={value} labels={userSwitches} tones={switchTones} />;
const titled = (value: string) => <span title={value}>{value || '--'}</span>;

export const userColumns = [
  col('id', { width: 96, fixed: 'left', locked: true }),
  col('account', { width: 160, render: titled }),
  col('agent', { width: 130, render: titled }),
  col('agentRoot', { width: 130, render: titled }),
  col('state', {
    width: 84,
    render: (value) => <StateTag state={value} labels={userStates} tones={userTones} />,
  }),
  col('auth', {
    width: 104,
    render: (value) => <StateTag state={value} labels={userAuthLabels} tones={authTones} />,
  }),
  col('valuation', {
    width: 160,
    align: 'right',
    render: (value) => <Money value={value} digits={2} rough />,
  }),
  col('trade', { width: 72, render: onOff }),
  col('ieoBuy', { width: 72, render: onOff }),
  col('ieoSell', { width: 92, render: onOff }),
  // Off is how it begins, so off is nothing to look at.
  col('ai', { width: 92, render: (value) => <StateTag state={value} labels={userSwitches} /> }),
  col('winType', {
    width: 140,
    render: (_value, row) => userPayout(row),
  }),
  col('remark', { width: 160, render: titled }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('lastLoginAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('lastLoginIp', { width: 140 }),
  col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];
