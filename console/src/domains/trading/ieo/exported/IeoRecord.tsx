import { ieo } from '@hengtai/contract/trading/ieo/calls';
import { RecordCase, type RecordCaseProps } from '../../../../lists/RecordCase.tsx';
import { Details } from '../Details.tsx';

/** The case of a subscription inside a request about it, or beside another case. */
export const IeoRecord = ({ id }: RecordCaseProps) => (
  <RecordCase call={ieo.detail} id={id}>
    {(detail) => <Details detail={detail} />}
  </RecordCase>
);
