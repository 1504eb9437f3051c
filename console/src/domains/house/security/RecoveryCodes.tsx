import './security.css';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { CopyButton } from '../../../ui/value/CopyButton.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';

interface Props {
  account: string;
  codes: readonly string[];
  onClose: () => void;
}

/** Recovery codes, shown once; closing requires confirming that they were saved. */
export function RecoveryCodes({ account, codes, onClose }: Props) {
  const [isSaved, setIsSaved] = useState(false);
  const text = codes.join('\n');
  return (
    <PageModal
      title="保存恢复码"
      width={560}
      keyboard={false}
      closable={false}
      footer={
        <div className="ht-security-foot">
          <Checkbox checked={isSaved} onChange={({ target }) => setIsSaved(target.checked)}>
            我已把恢复码保存在安全的地方
          </Checkbox>
          <Button type="primary" disabled={!isSaved} onClick={onClose}>
            完成
          </Button>
        </div>
      }
    >
      <p>手机遗失或无法使用验证器时，可用恢复码代替验证码，每个只能用一次。恢复码只显示这一次。</p>
      <ol className="ht-security-codes" aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="ht-security-codes-tools">
        <Button onClick={() => download(account, text)}>下载为文本文件</Button>
        <span>
          复制全部
          <CopyButton text={text} label="全部恢复码" />
        </span>
      </div>
    </PageModal>
  );
}

function download(account: string, codes: string) {
  const head = `衡台 HengTai 恢复码\n账号：${account}\n每个恢复码只能使用一次，请妥善保管。\n`;
  const url = URL.createObjectURL(new Blob([`${head}\n${codes}\n`], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `HengTai-恢复码-${account}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
