import { agent } from '@hengtai/contract/people/agent/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { targetText } from '@hengtai/contract/authority/target';
import { useRead } from '../../../api/hooks.ts';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { Time } from '../../../ui/value/Time.tsx';

interface Props {
  row: ApprovalRow;
  link: NonNullable<ApprovalRow['link']>;
  onClose: () => void;
}

/** Shows the checker the one-time link of a password reset to hand to its owner. The maker never sees it. */
export function ResetLink({ row, link, onClose }: Props) {
  const { data } = useRead(agent.detail, { id: row.targetId });
  const owner = data?.row.account ?? targetText(row);
  return (
    <OneTimeSecret
      title={`${owner} 的密码重置链接`}
      what="链接"
      secret={window.location.origin + link.path}
      note={
        <>
          请由您本人交给 <b>{owner}</b>，不要交给提交人 {operatorDetail(row.maker)}。<Time value={link.expiresAt} />{' '}
          前有效，只能用一次；关闭后不再显示。
        </>
      }
      onClose={onClose}
    />
  );
}
