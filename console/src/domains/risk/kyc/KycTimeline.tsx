import { kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycDetail } from '@hengtai/contract/risk/kyc/schema';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Timeline } from '../../../records/Timeline.tsx';
import { customerEvents } from '../../people/user/exported/customer-events.tsx';
import { levelText } from './actions.ts';
import { ensureMaskedName, ensureMaskedNumber, kycTones } from './columns.tsx';

/** The latest submissions and logins of the user, and notes about it. */
export function KycTimeline({ detail }: { detail: KycDetail }) {
  const submissions = [detail.row, ...detail.earlier].map((row) => ({
    key: `submission${row.id}`,
    at: row.createdAt,
    label: '提交',
    isCurrent: row.id === detail.row.id,
    content: (
      <>
        <span>{levelText(row.level)}</span>
        <span>
          {ensureMaskedName(row.name)} {ensureMaskedNumber(row.idNumber)}
        </span>
        {row.id === detail.row.id ? (
          <b>本次提交</b>
        ) : (
          <>
            <StateTag state={row.state} labels={kycStates} tones={kycTones} />
            {row.by !== null && <span className="ht-value-faint">{operatorCell(row.by)}</span>}
            {row.reason !== '' && <span>原因：{row.reason}</span>}
            <PageLink to={`/auth?open=${row.id}`}>#{row.id}</PageLink>
          </>
        )}
      </>
    ),
  }));
  return <Timeline events={[...submissions, ...customerEvents(detail)]} note="每类最近 10 条" />;
}
