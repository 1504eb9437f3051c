import { type UserSwitch, userAuthLabels, userStates, userSwitchNames } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { type Column, colOf } from '../../ui/columns.ts';
import { UserSwitchCell } from './UserSwitchCell.tsx';
import type { Turn } from './deeds.ts';
import { tierText } from './words.ts';

const stateTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
const authTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'wait', 2: 'good', 3: 'good', 4: 'bad' };

export const stateTag = (state: number) => <StateTag state={state} labels={userStates} tones={stateTones} />;
export const authTag = (auth: number) => <StateTag state={auth} labels={userAuthLabels} tones={authTones} />;

const col = colOf<UserRow>();
const titled = (value: string) => <span title={value}>{value || '--'}</span>;

/** The columns of the list; `why` is why its switches cannot be turned by this operator. */
export function userColumns(why: string | undefined, turn: Turn): readonly Column<UserRow>[] {
  const turned = (field: UserSwitch, width: number) =>
    col(field, {
      title: field === 'state' ? '状态' : userSwitchNames[field],
      width,
      render: (_value, row) => <UserSwitchCell row={row} field={field} why={why} turn={turn} />,
    });
  return [
    col('id', { title: '用户编号', width: 88, fixed: 'left', locked: true }),
    col('account', { title: '账号', width: 168, fixed: 'left', locked: true, render: titled }),
    col('agent', { title: '所属代理', width: 128, render: titled }),
    col('agentRoot', { title: '顶级代理', width: 128, render: titled }),
    col('remark', { title: '备注', width: 140, render: titled }),
    turned('state', 96),
    turned('trade', 64),
    turned('ieoBuy', 88),
    turned('ieoSell', 88),
    turned('ai', 88),
    col('winType', { title: '收益率档位', width: 136, render: (_value, row) => tierText(row) }),
    col('auth', { title: '实名', width: 100, render: authTag }),
    col('valuation', {
      title: '估值(USDT)',
      width: 140,
      align: 'right',
      render: (value) => <Money value={value} digits={2} rough />,
    }),
    col('createdAt', { title: '注册时间', width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginAt', { title: '最近登录', width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginIp', { title: '登录 IP', width: 140 }),
    col('updatedAt', { title: '更新时间', width: 172, hidden: true, render: (value) => <Time value={value} /> }),
  ];
}
