import { agent } from '@hengtai/contract/agent';
import { Button, Form, Input, type InputRef } from 'antd';
import { useId, useRef, useState } from 'react';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { useMe } from '../../api/me.ts';
import { notify } from '../../api/notice.ts';
import { AgentPicker } from '../../shell/AgentPicker.tsx';
import { useTabGuard } from '../../shell/page-route.ts';
import { FaultNote } from '../../ui/FaultNote.tsx';
import { PageModal } from '../../ui/PageModal.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import type { Fault } from '../../ui/fault.ts';
import { generatePassword } from '../../ui/generated.ts';
import { STALE } from './deeds.ts';

interface Values {
  account: string;
  password: string;
  parent: string;
  remark?: string;
}

interface Props {
  /** Account of whom it is put below; the operator itself when absent. */
  parent?: string;
  onClose: () => void;
}

/** 新增代理. Its password is shown once more when it is made, to be handed over. */
export function AddAgentDialog({ parent, onClose }: Props) {
  const me = useMe();
  const [form] = Form.useForm<Values>();
  const name = useId();
  const first = useRef<InputRef>(null);
  const [key] = useState(newKey);
  const [visible, setVisible] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const [made, setMade] = useState<Pick<Values, 'account' | 'password'>>();
  const add = useAction(agent.add, { invalidate: STALE });
  useTabGuard(dirty);

  async function submit({ account, password, parent: above, remark }: Values) {
    const failed = await settle(async () => {
      const input = { account, password, parentAccount: above, ...(remark?.trim() && { remark: remark.trim() }) };
      const outcome = await add.submit(input, key);
      if (outcome.kind === 'done') notify.success(outcome.msg);
    });
    setFault(failed);
    if (failed) return;
    setDirty(false);
    setMade({ account, password });
  }

  if (made) {
    return (
      <ShownOnce
        title={`代理 ${made.account} 已新增`}
        what="登录密码"
        secret={made.password}
        note="请现在复制并通过可靠的方式交给该代理，关闭后不再显示。新代理只能登录和查看，权限在详情中逐项授予。"
        onClose={onClose}
      />
    );
  }
  return (
    <PageModal
      title="新增代理"
      width={520}
      closable={!add.pending}
      keyboard={!add.pending && !dirty}
      afterOpenChange={(open) => open && first.current?.focus()}
      onCancel={() => !add.pending && onClose()}
      footer={
        <>
          <Button disabled={add.pending} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={add.pending} onClick={form.submit}>
            新增
          </Button>
        </>
      }
    >
      <Form<Values>
        form={form}
        name={name}
        layout="vertical"
        requiredMark
        disabled={add.pending}
        autoComplete="off"
        initialValues={{ parent: parent ?? me.admin }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => void submit(values)}
      >
        <Form.Item
          name="account"
          label="账号"
          rules={[
            { required: true, message: '请输入账号' },
            { pattern: /^[A-Za-z0-9._@+-]{2,64}$/, message: '账号为 2–64 位字母、数字或 . _ - @ +' },
          ]}
        >
          <Input ref={first} maxLength={64} autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item label="登录密码" required htmlFor={`${name}_password`}>
          <div className="ht-field-row">
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
                form.setFieldValue('password', generatePassword());
                void form.validateFields(['password']);
                setVisible(true);
                setDirty(true);
              }}
            >
              生成
            </Button>
          </div>
        </Form.Item>
        <Form.Item name="parent" label="上级代理" rules={[{ required: true, message: '请选择上级代理' }]}>
          <Parent />
        </Form.Item>
        <Form.Item name="remark" label="备注">
          <Input.TextArea maxLength={200} autoSize={{ minRows: 2, maxRows: 4 }} />
        </Form.Item>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
      {fault && <FaultNote fault={fault} />}
    </PageModal>
  );
}

/** The picker as a field of the form, which gives it id, value and onChange. */
function Parent({ id = '', value, onChange }: { id?: string; value?: string; onChange?: (account: string) => void }) {
  return <AgentPicker id={id} label="上级代理" value={value} onChange={(account) => onChange?.(account)} />;
}
