import './what-if.css';
import '../../../../ui/value/state-tag.css';
import { type WithdrawRisk, withdrawRisks } from '@hengtai/contract/funds/withdraw/calls';
import { WHAT_IF_DAYS } from '@hengtai/contract/risk/auto-payout/calls';
import { autoReasons } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoWhatIf, AutoWhatIfRow } from '@hengtai/contract/risk/auto-payout/schema';
import { userAccount } from '../../../../navigation/account-cells.tsx';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { negate, sum } from '../../../../ui/value/decimal.ts';
import { Time } from '../../../../ui/value/Time.tsx';

const countText = (count: number): string => `${count.toLocaleString('en-US')} 笔`;

/** What a budget, or the one in force without its stops, would have passed of the last withdrawals, and what changes. */
export function WhatIf({ result }: { result: AutoWhatIf }) {
  const { marketName, total, complete, from, opened, closed } = result;
  if (total === 0)
    return (
      <p className="ht-auto-payout-what-if ht-value-faint">
        近 {WHAT_IF_DAYS} 天没有 {marketName} 的提现。
      </p>
    );
  return (
    <div className="ht-auto-payout-what-if">
      {!complete && (
        <p className="ht-value-warn" role="status">
          提现太多，只推算了 <Time value={from} /> 以来的 {countText(total)}。
        </p>
      )}
      <MiniTable
        label="额度推算"
        rows={linesOf(result)}
        keyOf={({ name }) => name}
        columns={lineColumns(marketName)}
        empty=""
      />
      {opened.count + closed.count === 0 && <p className="ht-value-faint">没有一笔的结果会不同。</p>}
      <Changed title="新增自动打款" why="现在转人工的原因" group={opened} unit={marketName} />
      <Changed title="新增转人工" why="转人工的原因" group={closed} unit={marketName} />
      <p className="ht-value-faint">
        近 {WHAT_IF_DAYS} 天（UTC）的提现按申请时记录的风险、规则结果与认证等级推算，日额度按当时顺序逐日累计；
        {notJudged[result.question]}
      </p>
    </div>
  );
}

const notJudged = {
  budget: '当时因暂停、筛查、复核策略等转人工的仍转人工，系统当时没有判断的不计这些。',
  start: '当时因筛查、复核策略等转人工的仍转人工；暂停期间的提现系统没有判断到这些，按没有障碍计。',
} as const;

interface Line {
  name: string;
  count: number;
  amount: string;
  /** Left to people. */
  left: number;
  isDifference?: true;
}

const lineNames = {
  budget: { present: '现在的额度', proposed: '新的额度' },
  start: { present: '按当时的暂停', proposed: '假如没有暂停' },
} as const;

const linesOf = ({ question, total, present, proposed }: AutoWhatIf): Line[] => [
  { name: lineNames[question].present, ...present, left: total - present.count },
  { name: lineNames[question].proposed, ...proposed, left: total - proposed.count },
  {
    name: '相差',
    count: proposed.count - present.count,
    amount: sum([proposed.amount, negate(present.amount)]),
    left: present.count - proposed.count,
    isDifference: true,
  },
];

const signedText = (count: number): string => `${count > 0 ? '+' : ''}${countText(count)}`;

const lineColumns = (unit: string): readonly MiniColumn<Line>[] => [
  { title: '额度', cell: ({ name }) => name },
  {
    title: '自动打款',
    right: true,
    cell: ({ count, isDifference }) => (isDifference ? signedText(count) : countText(count)),
  },
  {
    title: '自动打款数量',
    right: true,
    cell: ({ amount, isDifference = false }) => <Money value={amount} unit={unit} showPlus={isDifference} />,
  },
  {
    title: '转人工',
    right: true,
    cell: ({ left, isDifference }) => (isDifference ? signedText(left) : countText(left)),
  },
];

interface ChangedProps {
  title: string;
  /** Title of the column of the reasons. */
  why: string;
  group: AutoWhatIf['opened'];
  unit: string;
}

/** The withdrawals whose outcome changes in one way: how many, and the newest. */
function Changed({ title, why, group: { count, amount, newest }, unit }: ChangedProps) {
  if (count === 0) return null;
  return (
    <section>
      <h4>
        {title} {countText(count)}，共 <Money value={amount} unit={unit} />
        {newest.length < count && <span className="ht-value-faint">，最近 {newest.length} 笔：</span>}
      </h4>
      <MiniTable label={title} rows={newest} keyOf={({ id }) => id} columns={rowColumns(unit, why)} empty="" />
    </section>
  );
}

const rowColumns = (unit: string, whyTitle: string): readonly MiniColumn<AutoWhatIfRow>[] => [
  {
    title: '提现',
    nowrap: true,
    cell: ({ id, createdAt }) => (
      <>
        <PageLink to={`/withdraw?open=${id}`}>#{id}</PageLink>
        <span className="ht-auto-payout-asked ht-value-faint">
          <Time value={createdAt} near />
        </span>
      </>
    ),
  },
  { title: '账号', nowrap: true, cell: ({ account, userId }) => userAccount(account, userId) },
  { title: `数量(${unit})`, right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '风险', cell: ({ risk }) => <Risks codes={risk} /> },
  { title: whyTitle, cell: ({ why }) => autoReasons[why] },
];

const Risks = ({ codes }: { codes: readonly string[] }) =>
  codes.length === 0 ? (
    <span className="ht-value-faint">无</span>
  ) : (
    <span className="ht-value-risks">
      {codes.map((code) => (
        <span key={code} className="ht-value-risk">
          {withdrawRisks[code as WithdrawRisk] ?? code}
        </span>
      ))}
    </span>
  );
