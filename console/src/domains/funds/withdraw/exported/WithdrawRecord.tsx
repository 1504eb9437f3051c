import { ABILITY } from '@hengtai/contract/authority/ability';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { useCan } from '../../../../api/me.ts';
import { RecordCase, type RecordCaseProps } from '../../../../lists/RecordCase.tsx';
import { WithdrawCase } from './WithdrawCase.tsx';

/** The case of a withdrawal inside a request about it, or beside another case. */
export function WithdrawRecord({ id }: RecordCaseProps) {
  const hasAbility = useCan(ABILITY.withdraw);
  return (
    <RecordCase call={withdraw.detail} id={id}>
      {(detail) => <WithdrawCase detail={detail} hasAbility={hasAbility} />}
    </RecordCase>
  );
}
