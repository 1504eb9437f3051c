import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import type { PriceProtectionHaltRow } from '@hengtai/contract/risk/price-protection/schema';
import { useRead } from '../../../api/hooks.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

/** The last halts of a market type: what triggered each, and how it ended. */
export function Halts({ row }: { row: PriceProtectionView }) {
  const input = { id: marketIdOf(row), marketType: row.marketType };
  const halts = useRead(priceProtection.halts, input, { refetchMs: 5_000 });
  return (
    <Section title="触发与暂停记录" aside={latestText(halts.data?.length ?? 0, '次')}>
      {halts.data ? (
        <MiniTable
          label="触发与暂停记录"
          rows={halts.data}
          keyOf={({ id }) => id}
          empty="还没有触发或暂停过"
          columns={columns}
        />
      ) : (
        <QueryPlace query={halts} isSmall>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </Section>
  );
}

function Cause({ halt: { triggerPrice, minPrice, maxPrice, haltedBy, reason } }: { halt: PriceProtectionHaltRow }) {
  if (triggerPrice !== null)
    return (
      <>
        价格 <Money value={triggerPrice} />
        <span className="ht-value-faint">
          {' '}
          离开 <Money value={minPrice} /> – <Money value={maxPrice} />
        </span>
      </>
    );
  return (
    <>
      手动暂停 {operatorDetail(haltedBy)}
      {reason !== '' && <span className="ht-value-faint"> {reason}</span>}
    </>
  );
}

function End({ halt: { resumeAt, resumedAt, resumedBy } }: { halt: PriceProtectionHaltRow }) {
  if (resumedAt === null)
    return (
      <>
        暂停中，预计 <Time value={resumeAt} />
      </>
    );
  const isEarly = resumedAt < resumeAt;
  return (
    <>
      <Time value={resumedAt} /> {isEarly ? <>提前恢复 {operatorDetail(resumedBy)}</> : '到时恢复'}
    </>
  );
}

const columns: readonly MiniColumn<PriceProtectionHaltRow>[] = [
  { title: '开始', nowrap: true, cell: ({ triggeredAt }) => <Time value={triggeredAt} /> },
  { title: '起因', cell: (halt) => <Cause halt={halt} /> },
  { title: '恢复', cell: (halt) => <End halt={halt} /> },
];
