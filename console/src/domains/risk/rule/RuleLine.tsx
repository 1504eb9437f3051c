import { type RuleState, ruleMoves } from '@hengtai/contract/risk/rule/calls';
import { ruleStates } from '@hengtai/contract/risk/rule/facts';
import type { RuleRow } from '@hengtai/contract/risk/rule/schema';
import { type ChoiceNames, actionTexts, conditionText } from '@hengtai/contract/risk/rule/text';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { moveVerbs, ruleTones } from './words.ts';

interface Props {
  row: RuleRow;
  names: ChoiceNames;
  onEdit: () => void;
  onMove: (to: RuleState) => void;
}

/** One rule, with its actions. */
export function RuleLine({ row, names, onEdit, onMove }: Props) {
  const { id, name, state, version, conditions, actions, unknownHits, by, updatedAt } = row;
  return (
    <tr>
      <th scope="row">
        <PageLink to={`/rule?open=${id}`}>{name}</PageLink>
        <span className="ht-table-page-note">第 {version} 版</span>
      </th>
      <td>
        <StateTag state={state} labels={ruleStates} tones={ruleTones} />
        <WaitingMark id={id} />
      </td>
      <td>
        <RuleConditions conditions={conditions} names={names} />
        {unknownHits && <span className="ht-table-page-note">条件未知时视为命中</span>}
      </td>
      <td>{actionTexts(actions).join('、') || '只记录命中'}</td>
      <td>
        <Time value={updatedAt} near />
        <span className="ht-table-page-note">{by === '' ? '随安装建立' : operatorCell(by)}</span>
      </td>
      <td>
        <GreyedAction onClick={onEdit}>编辑</GreyedAction>
        {ruleMoves[state].map((to) => (
          <GreyedAction key={to} onClick={() => onMove(to)}>
            {moveVerbs[to]}
          </GreyedAction>
        ))}
      </td>
    </tr>
  );
}

/** Conditions, all of which must hold, one a line. */
export const RuleConditions = ({ conditions, names }: Pick<RuleRow, 'conditions'> & Pick<Props, 'names'>) => (
  <ul className="ht-rule-lines">
    {conditions.map((condition) => {
      const text = conditionText(condition, names);
      return <li key={text}>{text}</li>;
    })}
  </ul>
);
