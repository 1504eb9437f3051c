import { report } from '@hengtai/contract/desk/report/calls';
import type { LiabilityRow } from '@hengtai/contract/desk/report/schema';
import { user } from '@hengtai/contract/people/user/calls';
import { Alert, Input } from 'antd';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { send } from '../../../api/client.ts';
import { settle } from '../../../api/display-error.ts';
import { saveFile } from '../../../api/file-answer.ts';
import { toast } from '../../../api/toast.ts';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { Time } from '../../../ui/value/Time.tsx';

/** Downloads the proof of one user as a file that anybody can verify without this product. */
export function ProofDialog({ row, onClose }: RecordDialogProps<LiabilityRow>) {
  const [account, setAccount] = useState('');
  const [errorText, setErrorText] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();

  async function download() {
    setBusy(true);
    setErrorText(undefined);
    const error = await settle(async () => {
      const accountText = account.trim();
      const userRow = (await send(user.list, { account: accountText, size: 1 })).data.list[0];
      // The account filter accepts a trailing `*` as a prefix search, so the result must be compared.
      if (userRow?.account.toLowerCase() !== accountText.toLowerCase()) {
        setErrorText('用户不存在，或不在您的数据范围内');
        return;
      }
      const { data } = await send(report.proof, { id: row.id, userId: userRow.id });
      const blob = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
      saveFile({ name: `liability-${row.id}-${userRow.account}.json`, blob });
      toast.success('证明已下载');
      onClose();
    });
    setBusy(false);
    if (error) setErrorText(error.msg);
  }

  return (
    <PageModal
      title={`下载用户证明 · 负债证明 #${row.id}`}
      okText="下载"
      okButtonProps={{ disabled: account.trim() === '', loading: isBusy }}
      onOk={() => void download()}
      onCancel={onClose}
    >
      <div className="ht-report-proof">
        <p>
          快照时间 {row.at !== null && <Time value={row.at} />}
          ，共 {row.users.toLocaleString('en-US')} 个用户。证明里有该用户当时的余额和通往根的路径，不含其他用户的身份。
        </p>
        <label htmlFor={id}>用户账号</label>
        <Input
          id={id}
          value={account}
          maxLength={64}
          onChange={(event) => setAccount(event.target.value)}
          onPressEnter={() => void download()}
        />
        {errorText && <Alert type="error" showIcon title={errorText} role="alert" />}
        <p className="ht-value-faint">验证：node scripts/verify-liability.mjs 证明文件 公布的根</p>
      </div>
    </PageModal>
  );
}
