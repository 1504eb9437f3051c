import { type UserSwitch, user, userKycLabels, userPayout, userStates } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { type Column, listColOf } from '../../ui/columns.ts';
import { UserSwitchCell } from './UserSwitchCell.tsx';
import type { ToggleSwitch } from './actions.ts';

const stateTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
const kycTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'wait', 2: 'good', 3: 'good', 4: 'bad' };

export const stateTag = (state: number) => <StateTag state={state} labels={userStates} tones={stateTones} />;
export const kycTag = (auth: number) => <StateTag state={auth} labels={userKycLabels} tones={kycTones} />;

const col = listColOf<UserRow>()(user.list.list.columns);
const withTitle = (value: string) => <span title={value}>{value || '--'}</span>;

/** Columns of the list. `disabledReason` is the reason why the operator cannot use the switches; undefined if it can. */
export function userColumns(
  disabledReason: string | undefined,
  toggleSwitch: ToggleSwitch,
): readonly Column<UserRow>[] {
  const switchCol = (field: UserSwitch, width: number) =>
    col(field, {
      width,
      render: (_value, row) => (
        <UserSwitchCell row={row} field={field} disabledReason={disabledReason} toggleSwitch={toggleSwitch} />
      ),
    });
  return [
    col('id', { width: 88, fixed: 'left', locked: true }),
    col('account', {
      width: 168,
      fixed: 'left',
      locked: true,
      render: (value, row) => (
        <span className="sh-marked">
          {withTitle(value)}
          <WaitingMark id={row.id} />
        </span>
      ),
    }),
    col('agent', { width: 128, render: withTitle }),
    col('agentRoot', { width: 128, render: withTitle }),
    col('remark', { width: 140, render: withTitle }),
    switchCol('state', 96),
    switchCol('trade', 64),
    switchCol('ieoBuy', 88),
    switchCol('ieoSell', 88),
    switchCol('ai', 88),
    col('winType', { width: 136, render: (_value, row) => userPayout(row) }),
    col('auth', { width: 100, render: kycTag }),
    col('valuation', {
      width: 140,
      align: 'right',
      render: (value) => <Money value={value} digits={2} rough />,
    }),
    col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginAt', { width: 172, render: (value) => <Time value={value} /> }),
    col('lastLoginIp', { width: 140 }),
    col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
  ];
}
