import { userAuthLabels, userStates, userSwitches, winTypeLabels } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

export const userTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
const switchTones: Readonly<Record<number, Tone>> = { 1: 'idle', 0: 'wait' };
const authTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'wait', 2: 'good', 3: 'good', 4: 'bad' };

const col = colOf<UserRow>();
const onOff = (value: number) => <StateTag state={value} labels={userSwitches} tones={switchTones} />;
const titled = (value: string) => <span title={value}>{value || '--'}</span>;

export const userColumns = [
  col('id', { title: '用户编号', width: 96, fixed: 'left', locked: true }),
  col('account', { title: '账号', width: 160, render: titled }),
  col('agent', { title: '所属代理', width: 130, render: titled }),
  col('agentRoot', { title: '顶级代理', width: 130, render: titled }),
  col('state', {
    title: '状态',
    width: 84,
    render: (value) => <StateTag state={value} labels={userStates} tones={userTones} />,
  }),
  col('auth', {
    title: '认证',
    width: 104,
    render: (value) => <StateTag state={value} labels={userAuthLabels} tones={authTones} />,
  }),
  col('valuation', {
    title: '资产估值(USDT)',
    width: 160,
    align: 'right',
    render: (value) => <Money value={value} digits={2} rough />,
  }),
  col('trade', { title: '交易', width: 72, render: onOff }),
  col('ieoBuy', { title: '认购', width: 72, render: onOff }),
  col('ieoSell', { title: '认购卖出', width: 92, render: onOff }),
  // Off is how it begins, so off is nothing to look at.
  col('ai', { title: '智能跟单', width: 92, render: (value) => <StateTag state={value} labels={userSwitches} /> }),
  col('winType', {
    title: '秒合约收益率',
    width: 140,
    render: (value, row) => (value === 1 ? `${winTypeLabels[value]} ${row.winRate ?? '--'}%` : winTypeLabels[value]),
  }),
  col('remark', { title: '备注', width: 160, render: titled }),
  col('createdAt', { title: '注册时间', width: 172, render: (value) => <Time value={value} /> }),
  col('lastLoginAt', { title: '最近登录', width: 172, render: (value) => <Time value={value} /> }),
  col('lastLoginIp', { title: '登录 IP', width: 140 }),
  col('updatedAt', { title: '更新时间', width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];
