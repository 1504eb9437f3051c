import './announce.css';
import { announce, announceStates } from '@hengtai/contract/announce';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { Button, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { settle } from '../../api/display-error.ts';
import { toast } from '../../api/toast.ts';
import { PageError } from '../../shell/PageError.tsx';
import { usePageRoute, useTabGuard } from '../../shell/page-route.ts';
import { useTabActions } from '../../shell/tab-actions.ts';
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
import { type Text, type Wrong, langs, wrongOf } from './draft.ts';

/** 编辑公告: the row as it was opened is what is changed; who comes too late is told by whom and when. */
export function AnnounceUpdatePage() {
  const { params } = usePageRoute();
  const id = Number(params['id']);
  const { data, error, refetch, isFetching } = useRead(announce.detail, { id }, { staleTime: 0 });
  const [opened, setOpened] = useState<AnnounceRow>();
  // What is being written stays, whatever is read in the background.
  if (data && !opened && !isFetching) setOpened(data);

  if (!opened && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!opened) return <span className="ht-skeleton-line an-bone" role="status" aria-label="加载中" />;
  const reload = async () => {
    const { data: now } = await refetch();
    if (now) setOpened(now);
  };
  return <Editing key={opened.updatedAt} row={opened} onReload={() => void reload()} />;
}

function Editing({ row, onReload }: { row: AnnounceRow; onReload: () => void }) {
  const id = useId();
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const [text, setText] = useState<Text>(row);
  const [lang, setLang] = useState(row.lang);
  const [platform, setPlatform] = useState(row.platform);
  const [wrong, setWrong] = useState<Wrong>();
  const [displayError, setError] = useState<DisplayError>();
  const [asking, setAsking] = useState(false);
  const [key, setKey] = useState(newKey);
  const [made, setMade] = useState(false);
  const { submit, pending } = useAction(announce.save, { invalidate: STALE });
  const dirty =
    text.title !== row.title || text.content !== row.content || lang !== row.lang || platform !== row.platform;
  useTabGuard(dirty && !made);
  useEffect(() => {
    if (!made) return;
    close([tab]);
    open('/announce');
  }, [made, open, close, tab]);

  function fits(state: number): boolean {
    const found = wrongOf(text, state);
    setWrong(found);
    return found === undefined;
  }

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const input = { id: row.id, lang, title: text.title.trim(), content: text.content, platform, state };
    const failed = await settle(async () => {
      const outcome = await submit({ ...input, seen: row.updatedAt }, key);
      if (outcome.kind === 'done') toast.success(outcome.msg);
    });
    setError(failed);
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setMade(true);
    return failed;
  }

  const published = row.state === 1;
  return (
    <div className="an-page">
      <PageHeading
        title={`编辑公告 #${row.id}`}
        note={published ? '已发布：保存后平台立即展示新的内容' : '草稿：发布前不会展示'}
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
            wrong={wrong}
            disabled={pending}
            onChange={(next) => {
              setText((now) => ({ ...now, ...next }));
              setWrong(undefined);
            }}
          />
          {displayError && !asking && (
            <ErrorMessage error={displayError} stateText={(state) => stateName(announceStates, state)} />
          )}
          {displayError?.kind === 'conflict' && (
            <Button size="small" onClick={onReload}>
              放弃修改并载入最新内容
            </Button>
          )}
          <div className="an-buttons">
            <span className="ht-faint">{dirty ? '有未保存的修改' : ''}</span>
            <Button disabled={pending} onClick={() => close([tab])}>
              取消
            </Button>
            {published ? (
              <Button type="primary" loading={pending} disabled={!dirty} onClick={() => fits(1) && void save(1)}>
                保存
              </Button>
            ) : (
              <>
                <Button loading={pending && !asking} disabled={!dirty} onClick={() => fits(0) && void save(0)}>
                  保存草稿
                </Button>
                <Button type="primary" disabled={pending} onClick={() => fits(1) && setAsking(true)}>
                  发布
                </Button>
              </>
            )}
          </div>
        </div>
        <Preview title={text.title} html={text.content} lang={lang} platform={platform} at={row.createdAt} />
      </div>
      {asking && (
        <PublishDialog
          langs={[lang]}
          titles={[text.title]}
          platform={platform}
          requestKey={key}
          run={() => save(1)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
