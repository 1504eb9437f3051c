import './rule-hits.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { type FactName, choiceFacts, factNames, facts } from '@hengtai/contract/risk/rule/catalogue';
import { actionTexts, conditionText, factText } from '@hengtai/contract/risk/rule/text';
import type { RuleActions, RuleResult } from '@hengtai/contract/risk/rule/schema';
import { type ReactNode, useState } from 'react';
import { useCan, useHasFullScope } from '../../../../api/me.ts';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { type Choice, choicesOf, useChoiceNames } from './choice-names.ts';

type Hit = RuleResult['hits'][number];
type Facts = NonNullable<RuleResult['facts']>;

/** What the rules said about a withdrawal: hits, points and what follows, and with full scope why. */
export function RuleHits({ result }: { result: RuleResult }) {
  const { set, hits, facts: recorded } = result;
  return (
    <Section title="规则" aside={summaryOf(result)} more={<span className="ht-value-faint">规则集 {set}</span>}>
      {hits.length > 0 && <Hits hits={hits} />}
      {recorded !== null && <Why hits={hits} recorded={recorded} />}
    </Section>
  );
}

const Hits = ({ hits }: { hits: readonly Hit[] }) => (
  <ul className="ht-records-case-lines" aria-label="命中的规则">
    {hits.map((hit) => (
      <li key={`${hit.id} ${hit.trial}`}>
        <RuleName hit={hit} />
        <span className="ht-value-faint">
          {hit.trial ? '试运行，不影响审核' : hit.rule ? actionTexts(hit.rule.actions).join('、') : ''}
        </span>
        <b>{hit.points} 分</b>
      </li>
    ))}
  </ul>
);

/** The actions of all hits together. */
function summaryOf(result: RuleResult): string {
  if (result.hits.every(({ trial }) => trial)) return '没有生效的规则命中';
  // The server stores what one of the rules demands.
  const people = result.people as RuleActions['people'];
  return actionTexts({ ...result, people }).join('、') || '没有动作';
}

function RuleName({ hit: { id, name } }: { hit: Hit }) {
  const canSet = useCan(ABILITY.platform);
  const isHouse = useHasFullScope();
  return canSet && isHouse ? <PageLink to={`/rule?open=${id}`}>{name}</PageLink> : name;
}

/** Its content is rendered once it is unfolded. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="ht-value-faint">{title}</summary>
      {isOpen && children}
    </details>
  );
}

const Why = (props: { hits: readonly Hit[]; recorded: Facts }) => (
  <Fold title={props.hits.length > 0 ? '依据与全部事实' : '全部事实'}>
    <Reasons {...props} />
  </Fold>
);

/** The conditions of each hit with the facts that met them, and below them every fact. */
function Reasons({ hits, recorded }: { hits: readonly Hit[]; recorded: Facts }) {
  const rules = hits.flatMap(({ id, trial, rule }) => (rule ? [{ id, trial, rule }] : []));
  const names = useChoiceNames([
    ...rules.flatMap(({ rule }) => choicesOf(rule.conditions)),
    ...choiceFacts.flatMap((name): Choice[] => {
      const value = recorded[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  ]);
  const textOf = (name: FactName): string => factText(name, recorded[name], names);
  return (
    <div className="ht-rule-why">
      {rules.map(({ id, trial, rule: { name, version, conditions, unknown } }) => (
        <div key={`${id} ${trial}`}>
          <p>
            <b>{name}</b>
            <span className="ht-value-faint">
              {' '}
              第 {version} 版{unknown && '，因条件未知而命中'}
            </span>
          </p>
          <ul>
            {conditions.map((condition) => {
              const text = conditionText(condition, names);
              return (
                <li key={text}>
                  {text}
                  <span className="ht-value-faint"> · 实际：</span>
                  <b>{textOf(condition.fact)}</b>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
      <dl className="ht-value-details">
        {factNames.map((name) => (
          <DetailItem key={name} label={facts[name].label}>
            {textOf(name)}
          </DetailItem>
        ))}
      </dl>
    </div>
  );
}
