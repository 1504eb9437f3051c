import { user } from '@hengtai/contract/user';
import { Button, Form, Input, type InputRef } from 'antd';
import { useId, useRef, useState } from 'react';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { notify } from '../../api/notice.ts';
import { useTabGuard } from '../../shell/page-route.ts';
import { FaultNote } from '../../ui/FaultNote.tsx';
import { PageModal } from '../../ui/PageModal.tsx';
import type { Fault } from '../../ui/fault.ts';

interface Values {
  account: string;
  password: string;
  agent?: string;
  remark?: string;
}

interface Props {
  onClose: () => void;
}

const STALE = [user.list];

/** 新增用户. The form lives as long as the dialog; its key is made when it opens. */
export function AddUserDialog({ onClose }: Props) {
  const [form] = Form.useForm<Values>();
  const name = useId();
  const first = useRef<InputRef>(null);
  const [key] = useState(newKey);
  const [dirty, setDirty] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const add = useAction(user.add, { invalidate: STALE });
  useTabGuard(dirty);

  async function submit({ account, password, agent, remark }: Values) {
    const failed = await settle(async () => {
      const input = {
        account,
        password,
        ...(agent?.trim() && { agent: agent.trim() }),
        ...(remark?.trim() && { remark: remark.trim() }),
      };
      const outcome = await add.submit(input, key);
      if (outcome.kind === 'done') notify.success(outcome.msg);
    });
    setFault(failed);
    if (!failed) close();
  }

  function close() {
    setDirty(false);
    onClose();
  }

  return (
    <PageModal
      title="新增用户"
      width={520}
      closable={!add.pending}
      keyboard={!add.pending && !dirty}
      afterOpenChange={(open) => open && first.current?.focus()}
      onCancel={() => !add.pending && close()}
      footer={
        <>
          <Button disabled={add.pending} onClick={close}>
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
        <Form.Item
          name="password"
          label="登录密码"
          rules={[
            { required: true, message: '请输入登录密码' },
            { min: 8, max: 128, message: '登录密码为 8–128 位' },
          ]}
        >
          <Input.Password maxLength={128} autoComplete="new-password" />
        </Form.Item>
        <Form.Item name="agent" label="所属代理" extra="不填写则归属自己">
          <Input maxLength={64} autoComplete="off" spellCheck={false} />
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
