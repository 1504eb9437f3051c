import './ledger-compare.css';
import { entryLabels } from '@hengtai/contract/values/money';
import type { LedgerLine } from '@hengtai/contract/funds/withdraw/schema';
import { Account } from './Account.tsx';
import { accountTypeText } from './LedgerLines.tsx';
import { Money } from '../ui/value/Money.tsx';
import { Section } from '../ui/page/Section.tsx';

interface Props {
  /** Heading and ledger lines of each decision. */
  decisions: readonly [Decision, Decision];
}

interface Decision {
  name: string;
  label: string;
  lines: readonly LedgerLine[];
}

const accountKeyOf = ({ owner, platform, bucket, marketName }: LedgerLine): string =>
  [owner, platform, bucket, marketName].join('|');

const typeText = (type: number): string => (entryLabels as Readonly<Record<number, string>>)[type] ?? String(type);

/** Both decisions side by side: the balances that they change differently, and in one line what they have in common. */
export function LedgerCompare({ decisions }: Props) {
  const lines = decisions.flatMap((decision) => decision.lines);
  if (lines.length === 0) {
    return (
      <Section title="决定之后">
        <p className="ht-value-faint">当前状态不会再记账</p>
      </Section>
    );
  }
  const accounts = [...new Map(lines.map((line) => [accountKeyOf(line), line])).values()].map((line) => ({
    line,
    changes: decisions.map((decision) => decision.lines.filter((other) => accountKeyOf(other) === accountKeyOf(line))),
  }));
  const isCommon = ({ changes: [first = [], second = []] }: (typeof accounts)[number]) =>
    first.length > 0 && second.length > 0 && first.at(-1)?.balance === second.at(-1)?.balance;
  const common = accounts.filter(isCommon);
  return (
    <Section title="决定之后" aside="按账本当前余额">
      <div className="ht-table-mini-box">
        <table className="ht-table-mini ht-records-compare" aria-label="决定之后">
          <thead>
            <tr>
              <th scope="col">账户</th>
              {decisions.map(({ name, label }) => (
                <th key={name} scope="col" className="ht-table-right">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {accounts
              .filter((account) => !isCommon(account))
              .map(({ line, changes }) => (
                <tr key={accountKeyOf(line)}>
                  <th scope="row">
                    <Account value={line.owner} /> <span className="ht-value-faint">{accountTypeText(line)}</span>
                  </th>
                  {decisions.map(({ name }, index) => (
                    <td key={name} className="ht-table-right" data-decision={name}>
                      <Changes lines={changes[index] ?? []} />
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {common.map(({ line, changes }) => (
        <p key={accountKeyOf(line)} className="ht-value-faint ht-records-compare-common">
          两种决定都使 {line.owner} {accountTypeText(line)} 余额变为{' '}
          <Money value={changes[0]?.at(-1)?.balance} unit={line.marketName} />
        </p>
      ))}
    </Section>
  );
}

function Changes({ lines }: { lines: readonly LedgerLine[] }) {
  const last = lines.at(-1);
  if (!last) return <span className="ht-value-faint">不变</span>;
  return (
    <>
      {lines.map(({ type, amount, marketName }) => (
        <div key={`${type}${amount}`}>
          <span className="ht-value-faint">{typeText(type)}</span> <Money value={amount} unit={marketName} showPlus />
        </div>
      ))}
      {last.balance !== null && (
        <div className="ht-value-faint">
          变动后 <Money value={last.balance} />
        </div>
      )}
    </>
  );
}
