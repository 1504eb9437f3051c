import type { agent } from '@hengtai/contract/people/agent/calls';
import type { user } from '@hengtai/contract/people/user/calls';
import { Button, Input } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import type { ConfirmDialogProps } from '../ui/dialog/ConfirmDialog.tsx';
import { ActionDialog } from './ActionDialog.tsx';
import { OneTimeSecret } from '../ui/dialog/OneTimeSecret.tsx';
import { generatePassword } from '../ui/form/generate-password.ts';

interface Props extends Required<Pick<ConfirmDialogProps, 'details' | 'consequence'>> {
  account: string;
  reasons: readonly string[];
  /** Who receives a generated password. */
  receiver: string;
  /** Note above the field. */
  note?: ReactNode;
  call: typeof user.pwdUpdate | typeof agent.pwdUpdate;
  id: number;
  onClose: () => void;
}

const LENGTH_MIN = 8;
const LENGTH_MAX = 128;

const findError = ({ length }: string): string | undefined => {
  if (length === 0) return '请输入新密码';
  return length < LENGTH_MIN || length > LENGTH_MAX ? `新密码为 ${LENGTH_MIN}–${LENGTH_MAX} 位` : undefined;
};

/** Level 2: sets a new password for someone else. A generated password is shown once after it was set. */
export function PasswordReset({ account, call, id, reasons, receiver, note, onClose, ...dialog }: Props) {
  const fieldId = useId();
  const [password, setPassword] = useState('');
  const [generated, setGenerated] = useState<string>();
  const [visible, setVisible] = useState(false);
  const [isDone, setIsDone] = useState(false);

  if (isDone) {
    return (
      <OneTimeSecret
        title={`${account} 的新密码`}
        what="新密码"
        secret={password}
        note={`密码已重置。请现在复制并通过可靠的方式交给${receiver}，关闭后不再显示。`}
        onClose={onClose}
      />
    );
  }
  return (
    <ActionDialog
      {...dialog}
      call={call}
      input={{ id, password }}
      title="重置密码"
      verb="重置密码"
      danger
      blocked={findError(password)}
      reason={{ chips: reasons }}
      onDone={({ kind }) => {
        if (kind === 'done' && password === generated) setIsDone(true);
        else onClose();
      }}
      onClose={onClose}
    >
      {note}
      <div className="ht-dialog-field">
        <label htmlFor={fieldId}>新密码</label>
        <div className="ht-dialog-field-row">
          <Input.Password
            id={fieldId}
            value={password}
            autoComplete="new-password"
            visibilityToggle={{ visible, onVisibleChange: setVisible }}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button
            onClick={() => {
              const next = generatePassword();
              setPassword(next);
              setGenerated(next);
              setVisible(true);
            }}
          >
            生成
          </Button>
        </div>
        <p>
          {LENGTH_MIN}–{LENGTH_MAX} 位，不限字符；生成的密码在重置后显示一次。
        </p>
      </div>
    </ActionDialog>
  );
}
