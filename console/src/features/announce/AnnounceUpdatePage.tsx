import './announce.css';
import { announce, announceStates } from '@hengtai/contract/announce';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { Button, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { settle } from '../../api/display-error.ts';
import { toast } from '../../api/toast.ts';
import { PageError } from '../../navigation/PageError.tsx';
import { usePageRoute, useTabGuard } from '../../navigation/page-route.ts';
import { useTabActions } from '../../navigation/tab-actions.ts';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import type { DisplayError } from '../../ui/display-error.ts';
import { PlatformField } from './PlatformField.tsx';
import { Preview } from './Preview.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { TextFields } from './TextFields.tsx';
import { langName, stateTones } from './columns.tsx';
import { STALE, stateName } from './actions.ts';
import { type AnnounceText, type FieldErrors, langs, validateText } from './draft.ts';

/** 编辑公告: edits one announcement. Saving fails with a conflict if somebody changed it since it was loaded. */
export function AnnounceUpdatePage() {
  const { params } = usePageRoute();
  const id = Number(params['id']);
  const { data, error, refetch, isFetching } = useRead(announce.detail, { id }, { staleTime: 0 });
  const [opened, setOpened] = useState<AnnounceRow>();
  // A background refresh must not replace the text that is being edited.
  if (data && !opened && !isFetching) setOpened(data);

  if (!opened && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!opened) return <span className="ht-skeleton-line an-bone" role="status" aria-label="加载中" />;
  const reload = async () => {
    const { data: now } = await refetch();
    if (now) setOpened(now);
  };
  return <EditForm key={opened.updatedAt} row={opened} onReload={() => void reload()} />;
}

function EditForm({ row, onReload }: { row: AnnounceRow; onReload: () => void }) {
  const id = useId();
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const [text, setText] = useState<AnnounceText>(row);
  const [lang, setLang] = useState(row.lang);
  const [platform, setPlatform] = useState(row.platform);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>();
  const [displayError, setError] = useState<DisplayError>();
  const [isConfirming, setConfirming] = useState(false);
  const [key, setKey] = useState(newKey);
  const [isSaved, setSaved] = useState(false);
  const { submit, pending } = useAction(announce.save, { invalidate: STALE });
  const isDirty =
    text.title !== row.title || text.content !== row.content || lang !== row.lang || platform !== row.platform;
  useTabGuard(isDirty && !isSaved);
  useEffect(() => {
    if (!isSaved) return;
    close([tab]);
    open('/announce');
  }, [isSaved, open, close, tab]);

  function validate(state: number): boolean {
    const nextErrors = validateText(text, state);
    setFieldErrors(nextErrors);
    return nextErrors === undefined;
  }

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const input = { id: row.id, lang, title: text.title.trim(), content: text.content, platform, state };
    const failed = await settle(async () => {
      const outcome = await submit({ ...input, seen: row.updatedAt }, key);
      if (outcome.kind === 'done') toast.success(outcome.msg);
    });
    setError(failed);
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setSaved(true);
    return failed;
  }

  const isPublished = row.state === 1;
  return (
    <div className="an-page">
      <PageHeading
        title={`编辑公告 #${row.id}`}
        note={isPublished ? '已发布：保存后平台立即展示新的内容' : '草稿：发布前不会展示'}
      />
      <div className="an-columns">
        <div className="an-form">
          <div className="an-line">
            <StateTag state={row.state} labels={announceStates} tones={stateTones} />
            <div className="ht-field">
              <label htmlFor={id}>语言</label>
              <Select
                id={id}
                value={lang}
                disabled={pending}
                options={langs.map((one) => ({ value: one, label: langName(one) }))}
                onChange={setLang}
              />
            </div>
            <PlatformField value={platform} disabled={pending} onChange={setPlatform} />
          </div>
          <TextFields
            lang={lang}
            text={text}
            fieldErrors={fieldErrors}
            disabled={pending}
            onChange={(next) => {
              setText((now) => ({ ...now, ...next }));
              setFieldErrors(undefined);
            }}
          />
          {displayError && !isConfirming && (
            <ErrorMessage error={displayError} stateText={(state) => stateName(announceStates, state)} />
          )}
          {displayError?.kind === 'conflict' && (
            <Button size="small" onClick={onReload}>
              放弃修改并载入最新内容
            </Button>
          )}
          <div className="an-buttons">
            <span className="ht-faint">{isDirty ? '有未保存的修改' : ''}</span>
            <Button disabled={pending} onClick={() => close([tab])}>
              取消
            </Button>
            {isPublished ? (
              <Button type="primary" loading={pending} disabled={!isDirty} onClick={() => validate(1) && void save(1)}>
                保存
              </Button>
            ) : (
              <>
                <Button
                  loading={pending && !isConfirming}
                  disabled={!isDirty}
                  onClick={() => validate(0) && void save(0)}
                >
                  保存草稿
                </Button>
                <Button type="primary" disabled={pending} onClick={() => validate(1) && setConfirming(true)}>
                  发布
                </Button>
              </>
            )}
          </div>
        </div>
        <Preview title={text.title} html={text.content} lang={lang} platform={platform} at={row.createdAt} />
      </div>
      {isConfirming && (
        <PublishDialog
          langs={[lang]}
          titles={[text.title]}
          platform={platform}
          requestKey={key}
          run={() => save(1)}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
