import { ABILITY } from '@hengtai/contract/authority/ability';
import { autoBudgetLabels as labels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoDecision } from '@hengtai/contract/risk/auto-payout/schema';
import type { RuleResult } from '@hengtai/contract/risk/rule/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { useCan } from '../../../api/me.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { fieldText } from './words.ts';

interface Props {
  detail: Pick<WithdrawDetail, 'row' | 'rules'>;
  decision: AutoDecision;
}

/** What a decision was based on: rules, budget with the sums before and after, mandate and draw. Sums need full scope. */
export function DecisionBasis({ detail: { row, rules }, decision }: Props) {
  const { set, budget, spent, mandateId } = decision;
  const unit = row.marketName;
  return (
    <dl className="ht-value-details">
      <DetailItem label="规则集">{set === null ? '没有运行' : set}</DetailItem>
      {rules && rules.ran !== null && (
        <DetailItem label="运行的规则" wide>
          <RulesRun ran={rules.ran} hits={rules.hits} />
        </DetailItem>
      )}
      {budget && spent && (
        <>
          <DetailItem label="额度版本">
            <BudgetLink marketId={row.marketId} version={budget.version} />
          </DetailItem>
          <DetailItem label="当日数量" wide>
            <Change before={spent.before} after={spent.after} /> / <Money value={budget.dayAmount} unit={unit} />，
            {decision.passed ? '含本笔' : '已通过'} {spent.count} / {budget.dayCount} 笔
          </DetailItem>
          <DetailItem label="该用户当日" wide>
            <Change before={spent.userBefore} after={spent.userAfter} /> /{' '}
            <Money value={budget.userDayAmount} unit={unit} />
          </DetailItem>
          {(['largestUnverified', 'largestBasic', 'largestAdvanced', 'firstByHand'] as const).map((field) => (
            <DetailItem key={field} label={labels[field]}>
              {fieldText(field, budget, unit)}
            </DetailItem>
          ))}
        </>
      )}
      {mandateId !== null && (
        <DetailItem label="签名授权">
          <PageLink to="/config/signing">授权 {mandateId}</PageLink>
        </DetailItem>
      )}
      {decision.draw !== null && (
        <DetailItem label="抽签" wide>
          <Draw decision={decision} no={row.no} />
        </DetailItem>
      )}
    </dl>
  );
}

const Change = ({ before, after }: { before: string; after: string }) => (
  <>
    <Money value={before} /> → <Money value={after} />
  </>
);

function BudgetLink({ marketId, version }: { marketId: number; version: number }) {
  const canSet = useCan(ABILITY.platform);
  const text = `第 ${version} 版`;
  return canSet ? <PageLink to={`/auto-payout?open=${marketId}`}>{text}</PageLink> : text;
}

interface RulesProps {
  ran: NonNullable<RuleResult['ran']>;
  hits: RuleResult['hits'];
}

/** Every rule of the set with its result. Conditions and facts of the hits are in the section of the rules. */
function RulesRun({ ran, hits }: RulesProps) {
  const canSet = useCan(ABILITY.platform);
  const isHit = ({ id, trial }: (typeof ran)[number]) => hits.some((hit) => hit.id === id && hit.trial === trial);
  return (
    <details>
      <summary>
        {ran.length} 条，命中 {ran.filter(isHit).length} 条
      </summary>
      <ul className="ht-records-case-lines" aria-label="运行的规则">
        {ran.map((rule) => (
          <li key={`${rule.id} ${rule.trial}`}>
            {canSet ? <PageLink to={`/rule?open=${rule.id}`}>{rule.name}</PageLink> : rule.name}
            <span className="ht-value-faint">
              第 {rule.version} 版{rule.trial && '，试运行'}
            </span>
            {isHit(rule) ? <b>命中</b> : <span className="ht-value-faint">未命中</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What a stranger needs to compute the draw again. */
function Draw({ decision: { head, draw, drawn, budget }, no }: { decision: AutoDecision; no: string }) {
  return (
    <>
      {draw}
      {budget && `（低于 ${budget.reviewPercent} 则复查）`}，<b>{drawn ? '抽中' : '未抽中'}</b>
      <span className="ht-auto-payout-note">
        以审计链链头 {head === null ? '（还没有链头）' : `#${head}`} 的哈希与平台单号 {no} 为种子，可重新计算
      </span>
    </>
  );
}
