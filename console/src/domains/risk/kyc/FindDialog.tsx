import { KYC_FOUND_MAX, kyc, kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycFound, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { Button, Input, type InputRef } from 'antd';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { userCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { ignoreComposing } from '../../../ui/form/FilterField.tsx';
import { FormField, FormGrid } from '../../../ui/form/FormPart.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { levelText } from './actions.ts';
import { kycTones } from './columns.tsx';

const EMPTY = { name: '', idNumber: '' };

/** Finds submissions by name or document number. What was typed is kept nowhere, and gone when the dialog closes. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const first = useRef<InputRef>(null);
  const form = useSaveForm(kyc.find, EMPTY);
  const { pending } = form;
  const [found, setFound] = useState<KycFound>();

  function change(part: Partial<typeof EMPTY>) {
    form.change(part);
    setFound(undefined);
  }

  function search(event: FormEvent) {
    event.preventDefault();
    const [name, idNumber] = [form.fields.name.trim(), form.fields.idNumber.trim()];
    if (name === '' && idNumber === '') return form.refuse('请输入姓名或证件号码');
    const input = { ...(name !== '' && { name }), ...(idNumber !== '' && { idNumber }) };
    void form.save(input, (outcome) => {
      if (outcome.kind === 'done') setFound(outcome.data);
    });
  }

  return (
    <PageModal
      title={kyc.find.summary}
      width={880}
      onCancel={onClose}
      afterOpenChange={(isOpen) => isOpen && first.current?.focus()}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" htmlType="submit" form={formId} loading={pending}>
            查找
          </Button>
        </>
      }
    >
      <form id={formId} className="ht-kyc-find" autoComplete="off" onSubmit={search}>
        <FormGrid>
          <FormField label="姓名" hint="完整姓名，不区分大小写、全半角和各种间隔号">
            {(id) => (
              <Input
                id={id}
                ref={first}
                autoComplete="off"
                spellCheck={false}
                readOnly={pending}
                maxLength={100}
                value={form.fields.name}
                onKeyDown={ignoreComposing}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </FormField>
          <FormField label="证件号码" hint="完整号码，不计标点和大小写；两项都填时须同时符合">
            {(id) => (
              <Input
                id={id}
                autoComplete="off"
                spellCheck={false}
                readOnly={pending}
                maxLength={64}
                value={form.fields.idNumber}
                onKeyDown={ignoreComposing}
                onChange={({ target }) => change({ idNumber: target.value })}
              />
            )}
          </FormField>
        </FormGrid>
        <p className="ht-value-faint">查找会写入审计日志，只记录查找依据和找到的条数。</p>
      </form>
      {form.error && <ErrorMessage error={form.error} />}
      {found && (
        <MiniTable
          label="找到的认证"
          rows={found.list}
          keyOf={({ id }) => id}
          empty="本人可见范围内没有符合的认证。"
          columns={columns}
        />
      )}
      {found?.keying && <p className="ht-value-faint">早先提交的认证补齐中，结果可能不全</p>}
      {found && found.total > 0 && (
        <p className="ht-value-faint" role="status">
          {found.total > KYC_FOUND_MAX ? `共 ${found.total} 条，列出最近 ${KYC_FOUND_MAX} 条` : `共 ${found.total} 条`}
        </p>
      )}
    </PageModal>
  );
}

const columns: readonly MiniColumn<KycRow>[] = [
  { title: '编号', nowrap: true, cell: ({ id }) => <PageLink to={`/auth?open=${id}`}>{id}</PageLink> },
  {
    title: '状态',
    nowrap: true,
    cell: ({ state }) => <StateTag state={state} labels={kycStates} tones={kycTones} />,
  },
  { title: '账号', cell: (row) => userCell(row.account, row) },
  { title: '姓名', cell: ({ name }) => name },
  { title: '证件号码', cell: ({ idNumber }) => idNumber },
  { title: '认证等级', nowrap: true, cell: ({ level }) => levelText(level) },
  { title: '提交时间', nowrap: true, cell: ({ createdAt }) => <Time value={createdAt} near /> },
];
