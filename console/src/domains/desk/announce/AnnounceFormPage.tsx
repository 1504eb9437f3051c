import '../../../ui/table/list-states.css';
import './announce.css';
import { announce, missingLangs } from '@hengtai/contract/desk/announce/calls';
import { announceStates, ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { Button, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { usePageRoute, useTabGuard, useTabName } from '../../../navigation/page-route.ts';
import { useTabActions } from '../../../navigation/tab-actions.ts';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { TabStrip } from '../../../ui/page/TabStrip.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { FormButtons } from './FormButtons.tsx';
import { PlatformField } from './PlatformField.tsx';
import { Preview } from './Preview.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { PublishFields } from './PublishFields.tsx';
import { TextFields } from './TextFields.tsx';
import { langName, stateTones } from './columns.tsx';
import { itemsOf, langs as allLangs } from './draft.ts';
import { type Addition, useDraft } from './use-draft.ts';

/** 新增公告 and 编辑公告. */
export function AnnounceFormPage() {
  const { params, search } = usePageRoute();
  const group = Number(search.get('group'));
  if (params['id'] !== undefined) return <EditAnnouncement id={Number(params['id'])} />;
  return Number.isSafeInteger(group) && group > 0 ? <AddLanguages group={group} /> : <AnnounceForm />;
}

/** Adds the missing languages of an announcement. */
function AddLanguages({ group }: { group: number }) {
  const { data, error, refetch } = useRead(announce.list, { group, size: 1 }, { staleTime: 0 });
  const [opened, setOpened] = useState<AnnounceRow>();
  const [first] = data?.list ?? [];
  if (first && !opened) setOpened(first);
  if (!opened && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (data && !first && !opened) return <p className="ht-table-message">公告已被删除。</p>;
  if (!opened) return <Loading />;
  const langs = missingLangs(opened);
  if (langs.length === 0) return <p className="ht-table-message">公告已有全部语言。</p>;
  const { platform, pinned, title } = opened;
  return <AnnounceForm addition={{ group, langs, platform, pinned }} title={`补充语言：${title}`} />;
}

const Loading = () => <PageSkeleton shape="form" title="公告" />;

/** Edits one announcement. Saving fails with a conflict if somebody changed it since it was loaded. */
function EditAnnouncement({ id }: { id: number }) {
  const { data, error, refetch, isFetching } = useRead(announce.detail, { id }, { staleTime: 0 });
  const [opened, setOpened] = useState<AnnounceRow>();
  // A background refresh must not replace the text that is being edited.
  if (data && !opened && !isFetching) setOpened(data);
  useTabName(opened?.title);

  if (!opened && error) return <PageError error={error} onRetry={() => void refetch()} />;
  if (!opened) return <Loading />;
  const reload = async () => {
    const { data: now } = await refetch();
    if (now) setOpened(now);
  };
  return <AnnounceForm key={opened.updatedAt} row={opened} onReload={() => void reload()} />;
}

interface Props {
  /** The announcement to edit. Without it, one announcement per language is added, all of them or none. */
  row?: AnnounceRow;
  /** Adds languages to an announcement. */
  addition?: Addition;
  title?: string;
  onReload?: () => void;
}

function AnnounceForm({ row, addition, title = '新增公告', onReload }: Props) {
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const draft = useDraft(row, addition);
  const { langs, texts, text, lang, platform, pinned, publishAt, errors, filledLangs, isDirty, validate } = draft;
  const [error, setError] = useState<DisplayError>();
  const [confirming, setConfirming] = useState<'now' | 'scheduled'>();
  const [key, setKey] = useState(newKey);
  const [isSaved, setSaved] = useState(false);
  const add = useAction(announce.add);
  const change = useAction(announce.save);
  const pending = add.pending || change.pending;
  const isPublished = row?.state === ANNOUNCE.published;
  const savedState = isPublished ? ANNOUNCE.published : ANNOUNCE.draft;
  useTabGuard(isDirty && !isSaved);
  useEffect(() => {
    if (!isSaved) return;
    close([tab]);
    open('/announce');
  }, [isSaved, open, close, tab]);

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const time = state === ANNOUNCE.draft ? publishAt : null;
    const shared = { platform, state, pinned, ...(time !== null && { publishAt: time }) };
    const failed = await settle(async () => {
      const outcome = await (row
        ? change.submit(
            { id: row.id, lang, title: text.title.trim(), content: text.content, ...shared, seen: row.updatedAt },
            key,
          )
        : add.submit(
            {
              announceList: itemsOf(texts, langs, shared),
              ...(addition && { group: addition.group }),
            },
            key,
          ));
      const name = row ? `#${row.id}` : `「${shortTitle(texts[filledLangs[0] ?? lang]?.title)}」`;
      if (outcome.kind === 'done') toast.success(`${savedText(isPublished, state, time)} · 公告${name}`);
    });
    setError(failed);
    // Only a retry after an unknown outcome repeats the request, so only then the key is kept.
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setSaved(true);
    return failed;
  }

  const platformField = <PlatformField value={platform} disabled={pending} onChange={draft.setPlatform} />;
  const publishFields = (
    <PublishFields
      pinned={pinned}
      publishAt={publishAt}
      canSchedule={!isPublished}
      error={draft.scheduleError}
      disabled={pending}
      onPinned={draft.setPinned}
      onPublishAt={draft.setPublishAt}
    />
  );
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
    <div className="ht-announce-page">
      {row ? (
        <PageHeading title={`编辑公告 #${row.id}`} note={noteOf(row)} />
      ) : (
        <PageHeading title={title} note="一次填写多种语言，只保存填写过的语言" />
      )}
      <div className="ht-announce-columns">
        <div className="ht-announce-form">
          {row ? (
            <>
              <div className="ht-announce-line">
                <StateTag state={row.state} labels={announceStates} tones={stateTones} />
                <LangField value={lang} disabled={pending} onChange={draft.changeLang} />
                {platformField}
                {publishFields}
              </div>
              {textFields}
            </>
          ) : (
            <>
              <div className="ht-announce-line">
                {platformField}
                {publishFields}
              </div>
              <TabStrip
                label="语言"
                tabs={langs.map((one) => ({
                  key: one,
                  title: langName(one),
                  mark: errors[one] ? (
                    <i className="ht-announce-dot" data-wrong role="img" aria-label="有误" />
                  ) : (
                    filledLangs.includes(one) && <i className="ht-announce-dot" role="img" aria-label="已填写" />
                  ),
                }))}
                current={lang}
                onChange={draft.setLang}
              >
                {textFields}
              </TabStrip>
            </>
          )}
          {error && !confirming && (
            <ErrorMessage error={error} stateText={(state) => announceStates[state as 0 | 1] ?? String(state)} />
          )}
          {error?.kind === 'conflict' && onReload && (
            <Button size="small" onClick={onReload}>
              放弃修改并载入最新内容
            </Button>
          )}
          <FormButtons
            note={row ? isDirty && '有未保存的修改' : filledText(filledLangs)}
            isPublished={isPublished}
            isScheduled={publishAt !== null}
            isUnchanged={row !== undefined && !isDirty}
            pending={pending}
            isSaving={pending && !confirming}
            onCancel={() => close([tab])}
            onSave={() => validate(savedState) && void save(savedState)}
            onPublish={() => validate(ANNOUNCE.published) && setConfirming('now')}
            onSchedule={() => validate(ANNOUNCE.draft) && setConfirming('scheduled')}
          />
        </div>
        <Preview
          title={text.title}
          html={text.content}
          lang={lang}
          platform={platform}
          {...(row && { at: row.createdAt })}
        />
      </div>
      {confirming && (
        <PublishDialog
          draft={draft}
          publishAt={confirming === 'now' ? null : publishAt}
          makeKey={() => key}
          run={() => save(confirming === 'now' ? ANNOUNCE.published : ANNOUNCE.draft)}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </div>
  );
}

function noteOf({ state, publishAt }: AnnounceRow): string {
  if (state === ANNOUNCE.published) return '已发布：保存后平台立即展示新的内容';
  return publishAt === null ? '草稿：发布前不会展示' : '已定时：修改后须再次定时，清空时间即取消';
}

function savedText(wasPublished: boolean, state: 0 | 1, publishAt: number | null): string {
  if (state === ANNOUNCE.published) return wasPublished ? '已保存' : '已发布';
  return publishAt === null ? '已保存草稿' : '已定时发布';
}

const shortTitle = (title = ''): string => (title.length > 20 ? `${title.slice(0, 20)}…` : title);

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
    <div className="ht-dialog-field">
      <label htmlFor={id}>语言</label>
      <Select
        id={id}
        value={value}
        disabled={disabled}
        options={allLangs.map((one) => ({ value: one, label: langName(one) }))}
        onChange={onChange}
      />
    </div>
  );
}
