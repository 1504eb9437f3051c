import { ADMIN_GRANTED, abilityLabels } from '@hengtai/contract/authority/ability';
import type { AgentDetail } from '@hengtai/contract/people/agent/schema';
import { isGuardedAbility } from '@hengtai/contract/authority/guards';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { newKey } from '../../../api/hooks.ts';
import { useFourEyesLocked, useMe } from '../../../api/me.ts';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { ConfirmableSwitch } from '../../../ui/dialog/ConfirmableSwitch.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import type { SwitchAbility } from './actions.ts';
import { SWITCHES, abilityDescriptions, grantConsequence, grantQuestion, grantDisabledReasonOf } from './words.ts';

interface Props {
  detail: AgentDetail;
  switchAbility: SwitchAbility;
}

/** A switch for each of the thirteen abilities, with the operator who granted it and the time. */
export function AbilityPart({ detail, switchAbility }: Props) {
  const { row, grants, below } = detail;
  const me = useMe();
  const isLocked = useFourEyesLocked();
  const isAdmin = row.depth === 0;
  return (
    <Section title="权限" aside="点击后确认；收回时下级一并收回">
      <table className="ht-table-mini ht-agent-abilities">
        <thead>
          <tr>
            <th scope="col">权限</th>
            <th scope="col">内容</th>
            <th scope="col">授予人</th>
            <th scope="col">授予时间</th>
            <th scope="col" className="ht-table-right">
              下级持有
            </th>
          </tr>
        </thead>
        <tbody>
          {SWITCHES.map((ability) => {
            const grant = grants.find((one) => one.ability === ability);
            const holders = below.find((one) => one.ability === ability)?.agents ?? 0;
            const on = isAdmin || grant !== undefined;
            const to = on ? 0 : 1;
            const needsChecker = isLocked && to === 1 && isGuardedAbility(ability);
            return (
              <tr key={ability}>
                <th scope="row">
                  <ConfirmableSwitch
                    name={`${abilityLabels[ability]} ${row.account}`}
                    on={on}
                    disabledReason={grantDisabledReasonOf(me, detail, ability)}
                    question={grantQuestion(ability, to, row.account)}
                    detail={
                      needsChecker
                        ? `四眼已锁定：由另一位复核员确认后才授予。${grantConsequence(to, holders)}`
                        : grantConsequence(to, holders)
                    }
                    verb={needsChecker ? SUBMIT : to === 1 ? '授予' : '收回'}
                    danger={to === 0}
                    makeKey={newKey}
                    onYes={(key) => switchAbility(row.id, ability, to, key)}
                  >
                    {abilityLabels[ability]}
                  </ConfirmableSwitch>
                </th>
                <td>
                  {abilityDescriptions[ability]}
                  {ADMIN_GRANTED.includes(ability) && <small className="ht-value-faint">（仅顶级管理员可授予）</small>}
                </td>
                <td>{grantorOf(isAdmin, grant)}</td>
                <td>{grant?.at ? <Time value={grant.at} /> : '--'}</td>
                <td className="ht-table-right">{holders.toLocaleString('en-US')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

function grantorOf(isAdmin: boolean, grant: AgentDetail['grants'][number] | undefined) {
  if (isAdmin) return '固有';
  if (!grant) return '--';
  return grant.by ? (
    operatorCell(grant.by)
  ) : (
    <span className="ht-value-faint" title="授予早于记录">
      未记录
    </span>
  );
}
