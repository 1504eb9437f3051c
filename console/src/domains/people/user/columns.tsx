import { type UserSwitch, user, userKycLabels, userPayout, userStates } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { agentCell, userAccount } from '../../../navigation/account-cells.tsx';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { type Column, listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { UserSwitchCell } from './UserSwitchCell.tsx';
import type { ToggleSwitch } from './actions.ts';

const stateTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'bad' };
const kycTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'wait', 2: 'good', 3: 'good', 4: 'bad' };

export const stateTag = (state: number) => <StateTag state={state} labels={userStates} tones={stateTones} />;
export const kycTag = (auth: number) => <StateTag state={auth} labels={userKycLabels} tones={kycTones} />;

const col = listColOf<UserRow>()(user.list.list.columns);

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
    col('id', { width: 80, fixed: 'left', locked: true }),
    col('account', {
      width: 132,
      fixed: 'left',
      locked: true,
      render: (value, row) => (
        <span className="ht-actions-marked">
          {userAccount(value, row.id)}
          <WaitingMark id={row.id} />
        </span>
      ),
    }),
    col('agent', { width: 128, under: 'account', render: agentCell }),
    col('agentRoot', { width: 128, drawer: true, render: agentCell }),
    col('remark', { width: 140, under: 'account', render: textCell }),
    switchCol('state', 84),
    switchCol('trade', 56),
    switchCol('ieoBuy', 56),
    switchCol('ieoSell', 56),
    switchCol('ai', 56),
    col('winType', { width: 136, under: 'valuation', render: (_value, row) => userPayout(row) }),
    col('auth', { width: 100, under: 'state', render: kycTag }),
    col('userGroup', { width: 100, under: 'state', render: textCell }),
    col('valuation', {
      width: 116,
      align: 'right',
      render: (value) => <Money value={value} digits={2} shortened />,
    }),
    col('createdAt', { width: 104, drawer: true, render: timeCell }),
    col('lastLoginAt', { width: 108, render: timeCell }),
    col('lastLoginIp', { width: 140, under: 'lastLoginAt' }),
    col('updatedAt', { width: 104, hidden: true, render: timeCell }),
  ];
}
