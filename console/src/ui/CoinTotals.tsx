import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, type RefObject, memo, useLayoutEffect, useRef, useState } from 'react';
import { Money } from './Money.tsx';

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
  counted: string;
  children?: ReactNode;
}

const LINE_HEIGHT = 31;

/**
 * Counts and sums per coin in one line. Coins for which the line has no room are counted, and shown when asked for: no
 * figure is cut.
 */
function CoinTotalsOf({ title, role, totals, fields, counted, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { coins, isCut } = useHidden(box);
  return (
    <div className="ht-totals" data-open={isOpen} role={role} aria-label={title}>
      <b>{title}</b>
      <div className="ht-totals-coins" ref={box}>
        {totals?.map(({ coin, count, sums }) => (
          <dl key={coin} data-coin={coin}>
            <dt>
              {coin}
              <small>
                {count.toLocaleString('en-US')} {counted}
              </small>
            </dt>
            {fields
              .filter(({ field, isText }) => !isText || sums[field])
              .map(({ field, label, isText }) => (
                <dd key={field} data-sum={field}>
                  <span>{label}</span>
                  {isText ? sums[field] : <Money value={sums[field] ?? null} digits={18} />}
                </dd>
              ))}
          </dl>
        ))}
        {totals?.length === 0 && <span className="ht-faint">没有记录</span>}
        {children}
      </div>
      <span className="ht-totals-more">
        {(isCut || isOpen) && (
          <Button
            type="link"
            size="small"
            aria-expanded={isOpen}
            icon={isOpen ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
            iconPlacement="end"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? '收起' : coins > 0 ? `还有 ${coins} 个币种` : '更多'}
          </Button>
        )}
      </span>
    </div>
  );
}
export const CoinTotals = memo(CoinTotalsOf);

interface Hidden {
  /** Number of coins below the first line. */
  coins: number;
  /** Anything is below the first line. */
  isCut: boolean;
}

function useHidden(box: RefObject<HTMLElement | null>): Hidden {
  const [hidden, setHidden] = useState<Hidden>({ coins: 0, isCut: false });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const end = element.offsetTop + LINE_HEIGHT;
      const countBelow = (selector: string) =>
        [...element.querySelectorAll<HTMLElement>(selector)].filter(({ offsetTop }) => offsetTop >= end).length;
      const coins = countBelow('dl');
      const isCut = coins > 0 || countBelow('dd') > 0;
      setHidden((old) => (old.coins === coins && old.isCut === isCut ? old : { coins, isCut }));
    };
    measure();
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    // The height is fixed, so new figures do not resize the line.
    const changes = new MutationObserver(measure);
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      resizes.disconnect();
      changes.disconnect();
    };
  }, [box]);
  return hidden;
}
