import './announce.css';
import { announce } from '@hengtai/contract/announce';
import { announceStates } from '@hengtai/contract/announce.facts';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { Button, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { PageError } from '../../navigation/PageError.tsx';
import { usePageRoute, useTabGuard, useTabName } from '../../navigation/page-route.ts';
import { useTabActions } from '../../navigation/tab-actions.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { TabStrip } from '../../ui/TabStrip.tsx';
import type { DisplayError } from '../../ui/display-error.ts';
import { PlatformField } from './PlatformField.tsx';
import { Preview } from './Preview.tsx';
import { TextFields } from './TextFields.tsx';
import { langName, platformName, stateTones } from './columns.tsx';
import { STALE, stateName } from './actions.ts';
import { type AnnounceText, itemsOf, langs } from './draft.ts';
import { useDraft } from './use-draft.ts';

/** 新增公告 and 编辑公告. */
export function AnnounceFormPage() {
  const { params } = usePageRoute();
  return params['id'] === undefined ? <AnnounceForm /> : <EditAnnouncement id={Number(params['id'])} />;
}

/** Edits one announcement. Saving fails with a conflict if somebody changed it since it was loaded. */
function EditAnnouncement({ id }: { id: number }) {
  const { data, error, refetch, isFetching } = useRead(announce.detail, { id }, { staleTime: 0 });
  const [opened, setOpened] = useState<AnnounceRow>();
  // A background refresh must not replace the text that is being edited.
  if (data && !opened && !isFetching) setOpened(data);
  useTabName(opened?.title);

  if (!opened && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!opened) return <span className="ht-skeleton-line an-bone" role="status" aria-label="加载中" />;
  const reload = async () => {
    const { data: now } = await refetch();
    if (now) setOpened(now);
  };
  return <AnnounceForm key={opened.updatedAt} row={opened} onReload={() => void reload()} />;
}

interface Props {
  /** The announcement to edit. Without it, one announcement per language is added, all of them or none. */
  row?: AnnounceRow;
  onReload?: () => void;
}

function AnnounceForm({ row, onReload }: Props) {
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const draft = useDraft(row);
  const { texts, text, lang, platform, errors, filledLangs, isDirty, validate } = draft;
  const [error, setError] = useState<DisplayError>();
  const [isConfirming, setConfirming] = useState(false);
  const [key, setKey] = useState(newKey);
  const [isSaved, setSaved] = useState(false);
  const add = useAction(announce.add, { invalidate: STALE });
  const change = useAction(announce.save, { invalidate: STALE });
  const pending = add.pending || change.pending;
  const isPublished = row?.state === 1;
  useTabGuard(isDirty && !isSaved);
  useEffect(() => {
    if (!isSaved) return;
    close([tab]);
    open('/announce');
  }, [isSaved, open, close, tab]);

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const edited = { lang, title: text.title.trim(), content: text.content, platform, state };
    const failed = await settle(async () => {
      const outcome = await (row
        ? change.submit({ id: row.id, ...edited, seen: row.updatedAt }, key)
        : add.submit({ announceList: itemsOf(texts, platform, state) }, key));
      if (outcome.kind === 'done') toast.success(outcome.msg);
    });
    setError(failed);
    // Only a retry after an unknown outcome repeats the request, so only then the key is kept.
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setSaved(true);
    return failed;
  }

  const platformField = <PlatformField value={platform} disabled={pending} onChange={draft.setPlatform} />;
  const textFields = (
    <TextFields
      key={row ? row.id : lang}
      lang={lang}
      text={text}
      fieldErrors={errors[lang]}
      disabled={pending}
      onChange={draft.editText}
    />
  );
  return (
    <div className="an-page">
      {row ? (
        <PageHeading
          title={`编辑公告 #${row.id}`}
          note={isPublished ? '已发布：保存后平台立即展示新的内容' : '草稿：发布前不会展示'}
        />
      ) : (
        <PageHeading title="新增公告" note="一次填写多种语言，只保存填写过的语言" />
      )}
      <div className="an-columns">
        <div className="an-form">
          {row ? (
            <>
              <div className="an-line">
                <StateTag state={row.state} labels={announceStates} tones={stateTones} />
                <LangField value={lang} disabled={pending} onChange={draft.changeLang} />
                {platformField}
              </div>
              {textFields}
            </>
          ) : (
            <>
              {platformField}
              <TabStrip
                label="语言"
                tabs={langs.map((one) => ({
                  key: one,
                  title: langName(one),
                  mark: errors[one] ? (
                    <i className="an-dot" data-wrong role="img" aria-label="有误" />
                  ) : (
                    filledLangs.includes(one) && <i className="an-dot" role="img" aria-label="已填写" />
                  ),
                }))}
                current={lang}
                onChange={draft.setLang}
              >
                {textFields}
              </TabStrip>
            </>
          )}
          {error && !isConfirming && (
            <ErrorMessage error={error} stateText={(state) => stateName(announceStates, state)} />
          )}
          {error?.kind === 'conflict' && onReload && (
            <Button size="small" onClick={onReload}>
              放弃修改并载入最新内容
            </Button>
          )}
          <div className="an-buttons">
            <span className="ht-faint">{row ? isDirty && '有未保存的修改' : filledText(filledLangs)}</span>
            <Button disabled={pending} onClick={() => close([tab])}>
              取消
            </Button>
            <Button
              {...(isPublished && { type: 'primary' })}
              loading={pending && !isConfirming}
              disabled={row !== undefined && !isDirty}
              onClick={() => validate(isPublished ? 1 : 0) && void save(isPublished ? 1 : 0)}
            >
              {isPublished ? '保存' : '保存草稿'}
            </Button>
            {!isPublished && (
              <Button type="primary" disabled={pending} onClick={() => validate(1) && setConfirming(true)}>
                发布
              </Button>
            )}
          </div>
        </div>
        <Preview
          title={text.title}
          html={text.content}
          lang={lang}
          platform={platform}
          {...(row && { at: row.createdAt })}
        />
      </div>
      {isConfirming && (
        <PublishDialog
          texts={texts}
          filledLangs={filledLangs}
          platform={platform}
          makeKey={() => key}
          run={() => save(1)}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

interface PublishProps {
  texts: Readonly<Record<string, AnnounceText>>;
  filledLangs: readonly string[];
  platform: number;
  makeKey: () => string;
  run: () => Promise<DisplayError | undefined>;
  onClose: () => void;
}

function PublishDialog({ texts, filledLangs, platform, ...confirmation }: PublishProps) {
  return (
    <ConfirmDialog
      title="发布公告"
      verb="发布"
      details={[
        { label: '展示端', value: platformName(platform) },
        { label: '语言', value: `${filledLangs.length} 种` },
        ...filledLangs.map((one) => ({
          label: langName(one),
          value: <span lang={one}>{texts[one]?.title ?? ''}</span>,
          wide: true,
        })),
      ]}
      consequence="平台将立即展示以上公告。"
      {...confirmation}
    />
  );
}

const filledText = (filled: readonly string[]): string =>
  filled.length === 0 ? '还没有填写任何语言' : `已填写：${filled.map(langName).join('、')}`;

interface LangFieldProps {
  value: string;
  disabled: boolean;
  onChange: (lang: string) => void;
}

function LangField({ value, disabled, onChange }: LangFieldProps) {
  const id = useId();
  return (
    <div className="ht-field">
      <label htmlFor={id}>语言</label>
      <Select
        id={id}
        value={value}
        disabled={disabled}
        options={langs.map((one) => ({ value: one, label: langName(one) }))}
        onChange={onChange}
      />
    </div>
  );
}
