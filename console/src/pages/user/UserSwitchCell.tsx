import { type UserSwitch, userStates, userSwitchNames, userSwitches } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { newKey } from '../../api/hooks.ts';
import { AskSwitch } from '../../ui/AskSwitch.tsx';
import type { Turn } from './actions.ts';
import { switchWords, turnQuestion } from './words.ts';

interface Props {
  row: UserRow;
  field: UserSwitch;
  why: string | undefined;
  turn: Turn;
  /** Write the state behind the switch. */
  worded?: boolean;
}

/** One switch of a user, in the list and in the profile. */
export function UserSwitchCell({ row, field, why, turn, worded = field === 'state' }: Props) {
  const on = row[field] === 1;
  const to = on ? 0 : 1;
  const { verb, detail } = switchWords[field][to];
  const labels = field === 'state' ? userStates : userSwitches;
  return (
    <AskSwitch
      name={`${userSwitchNames[field]} ${row.account}`}
      on={on}
      why={why}
      question={turnQuestion(field, to, row.account)}
      detail={detail}
      verb={verb}
      danger={field === 'state' && on}
      makeKey={newKey}
      onYes={(key) => turn(row, field, key)}
    >
      {worded && <span className={on || field === 'ai' ? undefined : 'us-off'}>{labels[row[field]]}</span>}
    </AskSwitch>
  );
}
