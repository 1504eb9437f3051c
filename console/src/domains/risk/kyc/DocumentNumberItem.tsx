import type { KycDocument } from '@hengtai/contract/risk/kyc/schema';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { documentKinds, documentMarks, sexes } from './document-words.ts';

/** What the document number says, and what is odd about it. The birth date is part of the number, so it is revealed with it. */
export function DocumentNumberItem({ document, isRevealed }: { document: KycDocument; isRevealed: boolean }) {
  const { kind, valid, birth, age, sex, marks } = document;
  const words = [
    documentKinds[kind],
    valid === true && '校验码正确',
    kind === 'other' && '不校验号码',
    sex !== null && sexes[sex],
    age !== null && `${age} 岁`,
    isRevealed && birth !== null && `${birth} 出生`,
  ].filter((word) => word !== false);
  return (
    <DetailItem label="号码所示" wide>
      {words.join(' · ')}
      {marks.length > 0 && (
        <span className="ht-value-risks ht-kyc-marks" role="list" aria-label="号码的疑点">
          {marks.map((mark) => (
            <span key={mark} className="ht-value-risk" role="listitem" data-grave="false">
              {documentMarks[mark]}
            </span>
          ))}
        </span>
      )}
    </DetailItem>
  );
}
