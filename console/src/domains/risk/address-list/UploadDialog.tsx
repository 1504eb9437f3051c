import { addressList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import type { AddressFileUpload, AddressImport } from '@hengtai/contract/risk/address-list/schema';
import { ADDRESS_UPLOAD_MAX } from '@hengtai/contract/wire/input-values';
import { useQueryClient } from '@tanstack/react-query';
import { Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { CallError } from '../../../api/client.ts';
import { readAgainAfter } from '../../../api/hooks.ts';
import { sendUpload } from '../../../api/upload.ts';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { dateText, parseDate } from './dates.ts';

interface Fields {
  list: AddressFileUpload['list'];
  files: readonly File[];
  source: string;
  date: string;
}

const EMPTY: Fields = { list: 3, files: [], source: '', date: '' };
const OPTIONS = ([3, 1] as const).map((value) => ({
  value,
  label: value === 3 ? `${addressLists[value]}（替换）` : `${addressLists[value]}（增加）`,
}));
const MEGABYTE = 1024 * 1024;
/** The server takes longer names for wrong. */
const NAME_MAX = 128;

interface Props {
  /** Adds the files to this draft, whose list and source they share. */
  draft: AddressImport | undefined;
  onUploaded: (row: AddressImport) => void;
  onClose: () => void;
}

/** 导入文件: uploads files one after the other into one draft, after which the differences are shown. */
export function UploadDialog({ draft, onUploaded, onClose }: Props) {
  const id = useId();
  const client = useQueryClient();
  const { fields, change, error, isDirty, run } = useSaveForm(addressList.upload, () =>
    draft ? fieldsOf(draft) : EMPTY,
  );
  const [sending, setSending] = useState<number>();
  const [unread, setUnread] = useState<readonly string[]>([]);
  const { list, files, source, date } = fields;
  const publishedAt = parseDate(date);
  const tooLarge = files.find(({ size }) => size > ADDRESS_UPLOAD_MAX);
  const isReady = files.length > 0 && !tooLarge && source.trim() !== '' && publishedAt !== undefined;
  const save = () =>
    void run(async (key) => {
      if (publishedAt === undefined) return;
      setUnread([]);
      let row = draft;
      try {
        for (const [index, file] of files.entries()) {
          setSending(index);
          const input = {
            list,
            fileName: file.name.slice(-NAME_MAX),
            source: source.trim(),
            publishedAt,
            draft: row?.id,
          };
          // A repeated upload of a file under its key is the same draft.
          ({ row } = await sendUpload(addressList.upload, input, file, `${key}.${index}`).catch((cause: unknown) => {
            setUnread(unreadLines(cause));
            throw withFileName(cause, files.length > 1 ? file.name : undefined);
          }));
        }
      } finally {
        setSending(undefined);
        readAgainAfter(client, addressList.upload);
      }
      if (row) onUploaded(row);
    });
  return (
    <SaveModal
      title={draft ? `添加文件：${draft.fileName}` : '导入名单文件'}
      width={600}
      verb="上传并查看差异"
      busy={sending !== undefined}
      dirty={isDirty}
      disabled={!isReady}
      error={error}
      onSave={save}
      onClose={onClose}
    >
      <div className="ht-dialog-form">
        <span id={`${id}list`}>名单</span>
        <Radio.Group
          aria-labelledby={`${id}list`}
          options={OPTIONS}
          value={list}
          disabled={draft !== undefined}
          onChange={({ target }) => change({ list: target.value as Fields['list'] })}
        />
        <label htmlFor={`${id}file`}>文件</label>
        <div>
          <input
            id={`${id}file`}
            type="file"
            multiple
            accept=".csv,.tsv,.txt,.json,.jsonl,.xml,.xlsx"
            onChange={({ target }) => change({ files: [...(target.files ?? [])] })}
          />
          <FileList files={files} sending={sending} />
          <p className="ht-dialog-form-hint">
            {tooLarge
              ? `${tooLarge.name} 超过 ${ADDRESS_UPLOAD_MAX / MEGABYTE} MB`
              : '可同时选多个文件，合成一份草稿。表格（CSV、xlsx）的表头可写地址、网络、备注、原因，顺序不限；没有表头则每行「地址,网络,原因」。也可用 JSON 列表、OFAC（sdn.csv 须连同 sdn_comments.csv，或 XML）、英国制裁名单、0xB10C 和 OpenSanctions 的文件'}
          </p>
        </div>
        <label htmlFor={`${id}source`}>来源</label>
        <Input
          id={`${id}source`}
          value={source}
          maxLength={128}
          placeholder="OFAC SDN"
          disabled={draft !== undefined}
          onChange={({ target }) => change({ source: target.value })}
        />
        <label htmlFor={`${id}date`}>发布日期</label>
        <Input
          id={`${id}date`}
          value={date}
          maxLength={10}
          placeholder="2026-01-31"
          disabled={draft !== undefined}
          onChange={({ target }) => change({ date: target.value.trim() })}
        />
      </div>
      <UnreadLines lines={unread} />
    </SaveModal>
  );
}

const fieldsOf = ({ list, source, publishedAt }: AddressImport): Fields => ({
  ...EMPTY,
  list: list === 1 ? 1 : 3,
  source,
  date: dateText(publishedAt),
});

/** The refusal with the name of the file that it is about. */
const withFileName = (cause: unknown, fileName: string | undefined): unknown =>
  cause instanceof CallError && fileName !== undefined
    ? new CallError({
        code: cause.code,
        data: cause.data,
        requestId: cause.requestId,
        msg: `${fileName}：${cause.msg}`,
      })
    : cause;

/** The lines that a refusal names, behind the field itself. */
function unreadLines(cause: unknown): string[] {
  const data: unknown = cause instanceof CallError ? cause.data : undefined;
  if (!Array.isArray(data)) return [];
  return data.slice(1).map(({ msg }: { msg: unknown }) => String(msg));
}

function FileList({ files, sending }: { files: readonly File[]; sending: number | undefined }) {
  if (files.length === 0) return null;
  return (
    <ul className="ht-address-list-files">
      {files.map((file, index) => (
        <li key={file.name}>
          {file.name}（{sizeText(file.size)}）{sending === index && '：正在上传…'}
          {sending !== undefined && sending > index && '：已读取'}
        </li>
      ))}
    </ul>
  );
}

const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

function UnreadLines({ lines }: { lines: readonly string[] }) {
  if (lines.length < 2) return null;
  return (
    <details>
      <summary>无法识别的行，列出前 {lines.length} 行</summary>
      <ul className="ht-address-list-addresses">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
