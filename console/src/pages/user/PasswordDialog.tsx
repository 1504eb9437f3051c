import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { said, withReason } from '../../api/said.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { generatePassword } from '../../ui/generated.ts';
import { STALE } from './deeds.ts';
import { userFacts } from './user-facts.tsx';

interface Props {
  row: UserRow;
  onClose: () => void;
}

const MIN = 8;
const MAX = 128;
const REASONS = ['用户忘记密码，已核实身份', '账号疑似被盗', '用户要求更换'] as const;

const missing = ({ length }: string): string | undefined => {
  if (length === 0) return '请输入新密码';
  return length < MIN || length > MAX ? `新密码为 ${MIN}–${MAX} 位` : undefined;
};

/** Level 2: a new password for a user. One that was generated is shown once more when it holds, to be handed over. */
export function PasswordDialog({ row, onClose }: Props) {
  const id = useId();
  const { submit } = useAction(user.pwdUpdate, { invalidate: STALE });
  const [password, setPassword] = useState('');
  const [generated, setGenerated] = useState<string>();
  const [visible, setVisible] = useState(false);
  const [done, setDone] = useState(false);

  async function run(reason: string, key: string) {
    const fault = await said(() => submit(withReason({ id: row.id, password }, reason), key));
    if (!fault && password === generated) setDone(true);
    else if (!fault) onClose();
    return fault;
  }

  if (done) {
    return (
      <ShownOnce
        title={`${row.account} 的新密码`}
        what="新密码"
        secret={password}
        note="密码已重置。请现在复制并通过可靠的方式交给用户，关闭后不再显示。"
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="重置密码"
      verb="重置密码"
      danger
      facts={userFacts(row)}
      consequence="原密码随即失效，用户需用新密码登录。密码变更会作为提现的风险提示保留一段时间。"
      blocked={missing(password)}
      reason={{ required: false, chips: REASONS }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <div className="ht-field">
        <label htmlFor={id}>新密码</label>
        <div className="ht-field-row">
          <Input.Password
            id={id}
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
          {MIN}–{MAX} 位，不限字符；生成的密码在重置后显示一次。
        </p>
      </div>
    </ConfirmDialog>
  );
}
