import { type KycAction, kyc } from '@hengtai/contract/risk/kyc/calls';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { Time } from '../../../ui/value/Time.tsx';
import { idTypeText, ensureMaskedName, ensureMaskedNumber } from './columns.tsx';
import { consequenceOf, levelText, stateText } from './actions.ts';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { isLongAccount } from '../../../records/long-account.ts';

interface Props {
  action: KycAction;
  row: KycRow;
  onClose: () => void;
  onDone: (row: KycRow) => void;
}

/** Level 2: passes or rejects one submission, with its data and the consequence. */
export function KycDialog({ action, row, onClose, onDone }: Props) {
  return (
    <ActionDialog
      call={kyc[action]}
      input={{ id: row.id }}
      onDone={() => onDone(row)}
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
        { label: '认证等级', value: levelText(row.level) },
        { label: '姓名', value: ensureMaskedName(row.name), essential: true },
        { label: '国家/地区', value: row.country },
        { label: '证件', value: `${idTypeText(row.idType)} ${ensureMaskedNumber(row.idNumber)}`, wide: true },
        { label: '所属代理', value: row.agent },
        { label: '提交时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={consequenceOf(action, row)}
      stateText={stateText}
      onClose={onClose}
    >
      {action === 'pass' && <GuardNote call="auth.pass" />}
    </ActionDialog>
  );
}
