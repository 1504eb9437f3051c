import './coin-totals.css';
import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, memo, useRef, useState } from 'react';
import { Money } from '../value/Money.tsx';
import { useOverflowCounts } from './overflow-counts.ts';

export interface SumField {
  field: string;
  label: string;
  /** The sums are texts with amounts in several coins, shown only where there are any. */
  isText?: true;
}

/** Count and sums of one coin. */
export interface CoinTotal {
  coin: string;
  count: number;
  /** Decimal strings or texts by field; null if unknown. */
  sums: Readonly<Record<string, string | null>>;
}

interface Props {
  title: string;
  /** 合计 is a landmark of the page, the sums below the table are not. */
  role: 'region' | 'group';
  /** Undefined until the first response; the height is reserved. */
  totals: readonly CoinTotal[] | undefined;
  fields: readonly SumField[];
  /** Unit of the counts. */
  countUnit: string;
  /** What the lines are, with its counter: 个币种, 个市场, 项. */
  lineUnit: string;
  children?: ReactNode;
}

const LINE_HEIGHT = 31;
/** Coins, and their sums. */
const PARTS = ['dl', 'dd'] as const;

const shownFields = (fields: readonly SumField[], { sums }: CoinTotal) =>
  fields.filter(({ field, isText }) => !isText || sums[field]);

/** The word for what the line has no room for: whole lines, or sums of a line that is shown. */
export function hiddenText(
  { lines, sums }: { lines: number; sums: number },
  totals: readonly CoinTotal[],
  fields: readonly SumField[],
  grouped: string,
): string {
  const ofHiddenLines = totals
    .slice(totals.length - lines)
    .reduce((count, line) => count + shownFields(fields, line).length, 0);
  return sums > ofHiddenLines ? `还有 ${sums} 项` : `还有 ${lines} ${grouped}`;
}

/**
 * Counts and sums per coin in one line. What the line has no room for is counted, and shown when asked for: no figure is
 * cut.
 */
function CoinTotalsOf({ title, role, totals, fields, countUnit, lineUnit, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [lines = 0, values = 0] = useOverflowCounts(box, PARTS, LINE_HEIGHT);
  const isCut = lines > 0 || values > 0;
  return (
    <div className="ht-table-totals" data-open={isOpen} role={role} aria-label={title}>
      <b>{title}</b>
      <div className="ht-table-totals-coins" ref={box}>
        {totals?.map(({ coin, count, sums }) => (
          <dl key={coin} data-coin={coin}>
            <dt>
              {coin}
              <small>
                {count.toLocaleString('en-US')} {countUnit}
              </small>
            </dt>
            {shownFields(fields, { coin, count, sums }).map(({ field, label, isText }) => (
              <dd key={field} data-sum={isText ? undefined : field}>
                <span>{label}</span>
                {isText ? sums[field] : <Money value={sums[field] ?? null} />}
              </dd>
            ))}
          </dl>
        ))}
        {totals?.length === 0 && <span className="ht-value-faint">没有记录</span>}
        {children}
      </div>
      <span className="ht-table-totals-more">
        {(isCut || isOpen) && (
          <Button
            type="link"
            size="small"
            aria-expanded={isOpen}
            icon={isOpen ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
            iconPlacement="end"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? '收起' : hiddenText({ lines, sums: values }, totals ?? [], fields, lineUnit)}
          </Button>
        )}
      </span>
    </div>
  );
}
export const CoinTotals = memo(CoinTotalsOf);
