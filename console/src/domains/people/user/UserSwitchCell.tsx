import { type UserSwitch, userStates, userSwitchNames, userSwitches } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { newKey } from '../../../api/hooks.ts';
import { ConfirmableSwitch } from '../../../ui/dialog/ConfirmableSwitch.tsx';
import type { ToggleSwitch } from './actions.ts';
import { switchTexts, switchQuestion } from './words.ts';

interface Props {
  row: UserRow;
  field: UserSwitch;
  disabledReason: string | undefined;
  toggleSwitch: ToggleSwitch;
  /** Shows the state as text next to the switch. */
  showLabel?: boolean;
}

/** A switch of a user, for the list and the profile. */
export function UserSwitchCell({ row, field, disabledReason, toggleSwitch, showLabel = field === 'state' }: Props) {
  const on = row[field] === 1;
  const to = on ? 0 : 1;
  const { verb, consequence } = switchTexts[field][to];
  const labels = field === 'state' ? userStates : userSwitches;
  return (
    <ConfirmableSwitch
      name={`${userSwitchNames[field]} ${row.account}`}
      on={on}
      disabledReason={disabledReason}
      question={switchQuestion(field, to, row.account)}
      detail={consequence}
      verb={verb}
      danger={field === 'state' && on}
      makeKey={newKey}
      onYes={(key) => toggleSwitch(row, field, key)}
    >
      {showLabel && <span className={on || field === 'ai' ? undefined : 'ht-user-off'}>{labels[row[field]]}</span>}
    </ConfirmableSwitch>
  );
}
