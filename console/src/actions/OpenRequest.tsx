import type { RecordApproval } from '@hengtai/contract/wire/schema';
import { use } from 'react';
import { useMe } from '../api/me.ts';
import { operatorDetail } from '../navigation/account-cells.tsx';
import { PageLink } from '../navigation/PageLink.tsx';
import { CaseRequestContext } from '../records/CaseLayout.tsx';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { DetailItem } from '../ui/value/DetailItem.tsx';
import { Time } from '../ui/value/Time.tsx';
import { useCancelRequest } from './use-cancel-request.ts';

interface Props {
  approval: RecordApproval;
  wide?: boolean;
}

/** The request that waits for a record, which its maker can take back. Nothing inside the case of this request. */
export function OpenRequest({ approval: { openId, maker, submittedAt }, wide = false }: Props) {
  const me = useMe();
  const cancel = useCancelRequest();
  const isOwnCase = use(CaseRequestContext)?.id === openId;
  if (openId === null || isOwnCase) return null;
  return (
    <DetailItem label="复核" wide={wide}>
      {maker === null ? '其他操作员' : operatorDetail(maker)} 已提交复核 <Time value={submittedAt} near />（
      <PageLink to={`/approval?open=${openId}`}>#{openId}</PageLink>）
      {maker === me.admin && (
        <GreyedAction disabledReason={undefined} onClick={() => cancel(openId)}>
          撤回申请
        </GreyedAction>
      )}
    </DetailItem>
  );
}
