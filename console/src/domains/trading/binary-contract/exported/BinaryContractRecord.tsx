import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractDetail } from '@hengtai/contract/trading/binary-contract/schema';
import { RecordCase, type RecordCaseProps } from '../../../../lists/RecordCase.tsx';
import { CaseLayout } from '../../../../records/CaseLayout.tsx';
import { binaryContractTones } from '../../../../records/state-tones.ts';
import { Section } from '../../../../ui/page/Section.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { StateTag } from '../../../../ui/value/StateTag.tsx';
import { Details, Evidence } from '../details.tsx';
import { kindText } from '../words.ts';

/** The case of a contract inside a request about it. */
export const BinaryContractRecord = ({ id, customer }: RecordCaseProps) => (
  <RecordCase call={binaryContract.detail} id={id}>
    {(detail) => (
      <CaseLayout
        head={<Head detail={detail} />}
        steps={[]}
        left={<Evidence detail={detail} />}
        right={
          <>
            <Section title="合约">
              <Details detail={detail} />
            </Section>
            {customer}
          </>
        }
      />
    )}
  </RecordCase>
);

const Head = ({ detail: { row } }: { detail: BinaryContractDetail }) => (
  <div className="ht-records-case-hero">
    <div className="ht-value-large">
      <Money value={row.amount} unit={SETTLEMENT} />
    </div>
    <b>
      {row.marketName} {kindText(row)}
    </b>
    <StateTag state={row.state} labels={binaryContractStates} tones={binaryContractTones} />
  </div>
);
