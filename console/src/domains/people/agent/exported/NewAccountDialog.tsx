import { Button, Form, Input, type InputRef } from 'antd';
import { useId, useRef, useState } from 'react';
import { settle } from '../../../../api/display-error.ts';
import { type Outcome, newKey } from '../../../../api/hooks.ts';
import { useMe } from '../../../../api/me.ts';
import { toast } from '../../../../api/toast.ts';
import { FormGrid } from '../../../../ui/form/FormPart.tsx';
import { SaveModal } from '../../../../ui/dialog/SaveModal.tsx';
import { OneTimeSecret } from '../../../../ui/dialog/OneTimeSecret.tsx';
import type { DisplayError } from '../../../../ui/value/display-error.ts';
import { generatePassword } from '../../../../ui/form/generate-password.ts';
import { AgentPicker } from './AgentPicker.tsx';
import { useTabGuard } from '../../../../navigation/page-route.ts';

/** The form values, trimmed; remark only if not empty. */
export interface NewAccount {
  account: string;
  password: string;
  agent: string;
  remark?: string;
}

interface Props {
  /** What is created: 代理, 用户. */
  noun: string;
  /** Label of the agent above: 上级代理, 所属代理. */
  above: string;
  /** Account of the agent above; the operator by default. */
  agent?: string | undefined;
  /** Instruction for handing over a generated password. */
  note: string;
  pending: boolean;
  submit: (values: NewAccount, key: string) => Promise<Outcome<unknown>>;
  onClose: () => void;
}

/**
 * Creates an account with a password. A generated password is shown once more after creation. The idempotency key is
 * created when the dialog opens.
 */
export function NewAccountDialog({ noun, above, agent, note, pending, submit, onClose }: Props) {
  const me = useMe();
  const [form] = Form.useForm<NewAccount>();
  const name = useId();
  const accountInput = useRef<InputRef>(null);
  const generated = useRef<string>(undefined);
  const [key] = useState(newKey);
  const [dirty, setDirty] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const [created, setCreated] = useState<NewAccount>();
  useTabGuard(dirty);

  async function run({ remark, ...values }: NewAccount) {
    const failure = await settle(async () => {
      const outcome = await submit({ ...values, ...(remark?.trim() && { remark: remark.trim() }) }, key);
      if (outcome.kind === 'done') toast.success(`已新增${noun} ${values.account}`);
    });
    setError(failure);
    if (failure) return;
    setDirty(false);
    if (values.password === generated.current) setCreated(values);
    else onClose();
  }

  if (created) {
    return (
      <OneTimeSecret
        title={`${noun} ${created.account} 已新增`}
        what="登录密码"
        secret={created.password}
        note={note}
        onClose={onClose}
      />
    );
  }
  return (
    <SaveModal
      title={`新增${noun}`}
      width={720}
      verb="新增"
      busy={pending}
      dirty={dirty}
      error={error}
      afterOpenChange={(open) => open && accountInput.current?.focus()}
      onSave={form.submit}
      onClose={onClose}
    >
      <Form<NewAccount>
        form={form}
        name={name}
        layout="vertical"
        requiredMark
        disabled={pending}
        autoComplete="off"
        initialValues={{ agent: agent ?? me.admin }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => void run(values)}
      >
        <FormGrid>
          <Form.Item
            name="account"
            label="账号"
            extra="2–64 位字母、数字或 . _ - @ +"
            rules={[
              { required: true, message: '请输入账号' },
              { pattern: /^[A-Za-z0-9._@+-]{2,64}$/, message: '账号为 2–64 位字母、数字或 . _ - @ +' },
            ]}
          >
            <Input ref={accountInput} maxLength={64} autoComplete="off" spellCheck={false} />
          </Form.Item>
          <PasswordField
            id={`${name}_password`}
            onGenerate={() => {
              generated.current = generatePassword();
              form.setFieldValue('password', generated.current);
              void form.validateFields(['password']);
              setDirty(true);
            }}
          />
          <Form.Item
            name="agent"
            label={above}
            extra={`该代理及其上级可以看到此${noun}`}
            rules={[{ required: true, message: `请选择${above}` }]}
          >
            <AgentField label={above} />
          </Form.Item>
          <Form.Item name="remark" label="备注" extra="只在后台显示">
            <Input.TextArea maxLength={200} autoSize={{ minRows: 1, maxRows: 4 }} />
          </Form.Item>
        </FormGrid>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </SaveModal>
  );
}

function PasswordField({ id, onGenerate }: { id: string; onGenerate: () => void }) {
  const [visible, setVisible] = useState(false);
  return (
    <Form.Item label="登录密码" required htmlFor={id} extra="8–128 位；生成的密码在新增后再显示一次">
      <div className="ht-dialog-field-row">
        <Form.Item
          noStyle
          name="password"
          rules={[
            { required: true, message: '请输入登录密码' },
            { min: 8, max: 128, message: '登录密码为 8–128 位' },
          ]}
        >
          <Input.Password
            maxLength={128}
            autoComplete="new-password"
            visibilityToggle={{ visible, onVisibleChange: setVisible }}
          />
        </Form.Item>
        <Button
          onClick={() => {
            onGenerate();
            setVisible(true);
          }}
        >
          生成
        </Button>
      </div>
    </Form.Item>
  );
}

interface AgentFieldProps {
  label: string;
  id?: string;
  value?: string;
  onChange?: (account: string) => void;
}

/** AgentPicker as a form field; the form passes id, value and onChange. */
function AgentField({ label, id = '', value, onChange }: AgentFieldProps) {
  return <AgentPicker id={id} label={label} value={value} onChange={(account) => onChange?.(account)} />;
}
