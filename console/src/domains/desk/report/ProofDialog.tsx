import { report } from '@hengtai/contract/desk/report/calls';
import type { LiabilityRow } from '@hengtai/contract/desk/report/schema';
import { user } from '@hengtai/contract/people/user/calls';
import { Alert, Button, Input } from 'antd';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { send } from '../../../api/client.ts';
import { settle } from '../../../api/display-error.ts';
import { toast } from '../../../api/toast.ts';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { downloadLeaves, downloadSolvency, saveJson } from './download-proof.ts';
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
      saveJson(`liability-${row.id}-${userRow.account}.json`, data);
      toast.success('证明已下载');
      onClose();
    });
    setBusy(false);
    if (error) setErrorText(error.msg);
  }

  async function downloadWhole(load: (id: number) => Promise<void>) {
    setBusy(true);
    const error = await settle(() => load(row.id));
    setBusy(false);
    setErrorText(error?.msg);
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
        {row.entry !== null && (
          <>
            <p>
              储备证明：签名声明写明截至同一笔账目的负债与钱包余额，可以公布；负债明细供审计方重算整棵树，不含账号。
            </p>
            <p>
              <Button size="small" disabled={isBusy} onClick={() => void downloadWhole(downloadSolvency)}>
                储备声明
              </Button>{' '}
              <Button size="small" disabled={isBusy} onClick={() => void downloadWhole(downloadLeaves)}>
                负债明细
              </Button>
            </p>
            <p className="ht-value-faint">
              验证：node scripts/verify-solvency.mjs 储备声明 --key 审计密钥指纹 --leaves 负债明细 --user 证明文件
            </p>
          </>
        )}
      </div>
    </PageModal>
  );
}
