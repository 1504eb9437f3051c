import './security.css';
import { attachmentLabels, passkey } from '@hengtai/contract/house/passkey/calls';
import type { PasskeyRow } from '@hengtai/contract/house/passkey/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { passkeyProblem } from '../../../api/passkey.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { openPath } from '../../../navigation/open-path.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { browserOf } from '../../../ui/browser/browser.ts';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { PasskeyNameDialog } from './PasskeyNameDialog.tsx';

interface Props {
  /** The operator has no second factor yet, so that the password is asked for. */
  needsPassword: boolean;
}

/** Passkeys of the operator: add, rename, remove. */
export function Passkeys({ needsPassword }: Props) {
  const { data, error, refetch } = useRead(passkey.list, {});
  const [isAdding, setIsAdding] = useState(false);
  const [renamed, setRenamed] = useState<PasskeyRow>();
  const problem = data && passkeyProblem(data.origin);
  return (
    <Section
      title="通行密钥"
      aside={data && data.passkeys.length > 0 && `${data.passkeys.length} 个`}
      more={
        <Button type="link" size="small" onClick={() => openPath('/config/signing')}>
          签名打款的密钥
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {data.passkeys.length === 0 && (
            <p className="ht-security-text">
              用指纹、面容、PIN
              或安全密钥代替验证码。通行密钥只认本站地址，不会被钓鱼网站骗走；一次确认只对一个操作有效。
            </p>
          )}
          <ul className="ht-security-sessions">
            {data.passkeys.map((row) => (
              <OnePasskey key={row.id} row={row} onRename={() => setRenamed(row)} />
            ))}
          </ul>
          {problem !== undefined && <p className="ht-security-text ht-value-warn">{problem}</p>}
          <Button type="primary" disabled={problem !== undefined} onClick={() => setIsAdding(true)}>
            添加通行密钥
          </Button>
          {data.only && (
            <p className="ht-security-text ht-security-after">
              系统仅接受通行密钥作为第二因素。建议至少添加两个，以防遗失。
            </p>
          )}
        </>
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
      {isAdding && <PasskeyNameDialog needsPassword={needsPassword} onClose={() => setIsAdding(false)} />}
      {renamed && <PasskeyNameDialog existing={renamed} onClose={() => setRenamed(undefined)} />}
    </Section>
  );
}

function OnePasskey({ row, onRename }: { row: PasskeyRow; onRename: () => void }) {
  const remove = useAction(passkey.del);
  const kind = row.attachment === null ? '类型未知' : attachmentLabels[row.attachment];
  return (
    <li>
      <div>
        <b>{row.name}</b>
        {!row.usable && (
          <span className="ht-security-tag ht-security-tag-warn">属于 {row.address}，当前地址不可用</span>
        )}
        <p>
          {kind}
          {row.synced === 1 && '，可同步'}　添加于 <Time value={row.createdAt} short />（{browserOf(row.userAgent)}，
          {row.ip}）
        </p>
        <p>
          {row.lastUsedAt === null ? (
            '尚未使用'
          ) : (
            <>
              最近使用 <Time value={row.lastUsedAt} short />（{row.lastUsedIp}）
            </>
          )}
        </p>
      </div>
      <div className="ht-security-tools">
        <Button size="small" type="link" aria-label={`重命名 ${row.name}`} onClick={onRename}>
          重命名
        </Button>
        <ConfirmableAction
          disabledReason={undefined}
          question={`移除通行密钥「${row.name}」？`}
          onYes={() => runWithErrorToast(() => remove.submit({ id: row.id }, newKey()), `已移除「${row.name}」`)}
        >
          移除
        </ConfirmableAction>
      </div>
    </li>
  );
}
