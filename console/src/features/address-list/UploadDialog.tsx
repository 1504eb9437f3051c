import { addressList } from '@hengtai/contract/address-list';
import { addressLists } from '@hengtai/contract/address-list.facts';
import type { AddressImport } from '@hengtai/contract/address-list.schema';
import { ADDRESS_FILE_MAX } from '@hengtai/contract/input-values';
import { Input, Radio } from 'antd';
import { useId } from 'react';
import { useSaveForm } from '../../actions/use-save-form.ts';
import { useAction } from '../../api/hooks.ts';
import { SaveModal } from '../../ui/SaveModal.tsx';
import { decodeFile } from './decode-file.ts';
import { parseDate } from './dates.ts';
import { STALE } from './stale.ts';

interface Fields {
  list: 1 | 3;
  fileName: string;
  content: string;
  source: string;
  date: string;
}

const EMPTY: Fields = { list: 3, fileName: '', content: '', source: '', date: '' };
const OPTIONS = ([3, 1] as const).map((value) => ({
  value,
  label: value === 3 ? `${addressLists[value]}（替换）` : `${addressLists[value]}（增加）`,
}));

interface Props {
  onUploaded: (row: AddressImport) => void;
  onClose: () => void;
}

/** 导入文件: reads a file and uploads it, after which the differences are shown. */
export function UploadDialog({ onUploaded, onClose }: Props) {
  const id = useId();
  const { fields, change, error, isDirty, run } = useSaveForm(EMPTY);
  const { submit, pending } = useAction(addressList.upload, { invalidate: STALE });
  const { list, fileName, content, source, date } = fields;
  const publishedAt = parseDate(date);
  const isTooLarge = content.length > ADDRESS_FILE_MAX;
  const isReady = content !== '' && !isTooLarge && source.trim() !== '' && publishedAt !== undefined;
  const choose = async (file: File | undefined) => {
    if (file) change({ fileName: file.name.slice(0, 128), content: decodeFile(await file.arrayBuffer()) });
  };
  const save = () =>
    void run(async (key) => {
      if (publishedAt === undefined) return;
      const outcome = await submit({ list, fileName, content, source: source.trim(), publishedAt }, key);
      if (outcome.kind === 'done') onUploaded(outcome.data.row);
      else onClose();
    });
  return (
    <SaveModal
      title="导入名单文件"
      width={600}
      verb="上传并查看差异"
      busy={pending}
      dirty={isDirty}
      disabled={!isReady}
      error={error}
      onSave={save}
      onClose={onClose}
    >
      <div className="ht-view-form">
        <span id={`${id}list`}>名单</span>
        <Radio.Group
          aria-labelledby={`${id}list`}
          options={OPTIONS}
          value={list}
          onChange={({ target }) => change({ list: target.value as Fields['list'] })}
        />
        <label htmlFor={`${id}file`}>文件</label>
        <div>
          <input
            id={`${id}file`}
            type="file"
            accept=".csv,.tsv,.txt,.json,.xml"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
          <p className="ht-view-hint">
            {isTooLarge
              ? `文件超过 ${ADDRESS_FILE_MAX / 10_000} 万字符，请先只保留含地址的行`
              : '表头可写地址、网络、备注、原因，顺序不限；没有表头则每行「地址,网络,原因」。也可用 JSON 列表或 OFAC 的 SDN 文件'}
          </p>
        </div>
        <label htmlFor={`${id}source`}>来源</label>
        <Input
          id={`${id}source`}
          value={source}
          maxLength={128}
          placeholder="OFAC SDN"
          onChange={({ target }) => change({ source: target.value })}
        />
        <label htmlFor={`${id}date`}>发布日期</label>
        <Input
          id={`${id}date`}
          value={date}
          maxLength={10}
          placeholder="2026-01-31"
          onChange={({ target }) => change({ date: target.value.trim() })}
        />
      </div>
    </SaveModal>
  );
}
