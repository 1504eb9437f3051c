import '../security.css';
import { session } from '@hengtai/contract/house/session/calls';
import { Form, Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { CallError } from '../../../../api/client.ts';
import { newKey, useAction } from '../../../../api/hooks.ts';
import { toast } from '../../../../api/toast.ts';
import { clearSession } from '../../../../api/session.ts';
import { FAREWELL_KEY } from '../../../../api/handover.ts';

interface Props {
  onClose: () => void;
}

interface Fields {
  oldPassword: string;
  newPassword: string;
}

/** Changes the operator's own password, which ends all of its sessions including this one. */
export function ChangePasswordDialog({ onClose }: Props) {
  const [form] = Form.useForm<Fields>();
  const [key, setKey] = useState(newKey);
  const [errorText, setErrorText] = useState<string | null>(null);
  const { submit, pending } = useAction(session.password);
  const name = useId();

  async function change(fields: Fields) {
    setErrorText(null);
    try {
      const outcome = await submit(fields, key);
      if (outcome.kind !== 'done') return;
      toast.success(outcome.msg);
      sessionStorage.setItem(FAREWELL_KEY, outcome.msg);
      onClose();
      clearSession();
    } catch (error) {
      // After a refusal the next submit is a new request with a new key. Without a response the key is kept, so that a
      // retry cannot execute twice.
      if (error instanceof CallError) setKey(newKey());
      setErrorText(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Modal
      open
      title="修改密码"
      width={550}
      okText="确认修改"
      cancelText="取消"
      confirmLoading={pending}
      closable={!pending}
      keyboard={!pending}
      mask={{ closable: false }}
      cancelButtonProps={{ disabled: pending }}
      onOk={form.submit}
      onCancel={onClose}
      afterOpenChange={(open) => open && form.focusField('oldPassword')}
    >
      <Form
        form={form}
        name={name}
        layout="vertical"
        requiredMark={false}
        disabled={pending}
        onFinish={(fields) => void change(fields)}
      >
        <Form.Item name="oldPassword" label="旧密码" rules={[{ required: true, message: '请输入旧密码' }]}>
          <Input.Password autoComplete="current-password" maxLength={128} />
        </Form.Item>
        <Form.Item
          name="newPassword"
          label="新密码"
          extra="8 至 128 个字符。修改后所有设备需要重新登录。"
          rules={[{ required: true, message: '请输入新密码' }]}
        >
          <Input.Password autoComplete="new-password" maxLength={128} />
        </Form.Item>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
      <p className="ht-security-field-error" role="alert">
        {errorText}
      </p>
    </Modal>
  );
}
