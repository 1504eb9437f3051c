import './announce.css';
import { announce } from '@hengtai/contract/announce';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast } from '../../api/run-with-toast.ts';
import { usePageRoute, useTabGuard } from '../../navigation/page-route.ts';
import { useTabActions } from '../../navigation/tab-actions.ts';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { TabStrip } from '../../ui/TabStrip.tsx';
import type { DisplayError } from '../../ui/display-error.ts';
import { PlatformField } from './PlatformField.tsx';
import { Preview } from './Preview.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { TextFields } from './TextFields.tsx';
import { langName } from './columns.tsx';
import { STALE } from './actions.ts';
import { EMPTY_TEXT, type AnnounceText, type FieldErrors, isFilled, itemsOf, langs, validateText } from './draft.ts';

/** 新增公告: adds one announcement per language in a single call, so that all are saved or none. */
export function AnnounceAddPage() {
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const [texts, setTexts] = useState<Readonly<Record<string, AnnounceText>>>({});
  const [lang, setLang] = useState(langs[0] ?? '');
  const [platform, setPlatform] = useState(0);
  const [errors, setErrors] = useState<Readonly<Record<string, FieldErrors>>>({});
  const [error, setError] = useState<DisplayError>();
  const [isConfirming, setConfirming] = useState(false);
  const [key, setKey] = useState(newKey);
  const [isSaved, setSaved] = useState(false);
  const { submit, pending } = useAction(announce.add, { invalidate: STALE });
  const filledLangs = langs.filter((one) => isFilled(texts[one] ?? EMPTY_TEXT));
  useTabGuard(!isSaved && filledLangs.length > 0);
  useEffect(() => {
    if (!isSaved) return;
    close([tab]);
    open('/announce');
  }, [isSaved, open, close, tab]);

  const text = texts[lang] ?? EMPTY_TEXT;
  function change(next: Partial<AnnounceText>) {
    setTexts({ ...texts, [lang]: { ...text, ...next } });
    setErrors(({ [lang]: _edited, ...rest }) => rest);
  }

  /** Validates the languages that have a text and selects the first one with an error. Returns true if none has. */
  function validate(state: 0 | 1): boolean {
    const nextErrors = Object.fromEntries(
      (filledLangs.length > 0 ? filledLangs : [lang]).flatMap((one) => {
        const fieldErrors = validateText(texts[one] ?? EMPTY_TEXT, state);
        return fieldErrors ? [[one, fieldErrors]] : [];
      }),
    );
    setErrors(nextErrors);
    const first = langs.find((one) => nextErrors[one]);
    if (first !== undefined && !nextErrors[lang]) setLang(first);
    return first === undefined;
  }

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const failed = await runWithToast(() => submit({ announceList: itemsOf(texts, platform, state) }, key));
    setError(failed);
    // Only a retry after an unknown outcome repeats the request, so only then the key is kept.
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setSaved(true);
    return failed;
  }

  return (
    <div className="an-page">
      <PageHeading title="新增公告" note="一次填写多种语言，只保存填写过的语言" />
      <div className="an-columns">
        <div className="an-form">
          <PlatformField value={platform} disabled={pending} onChange={setPlatform} />
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
            onChange={setLang}
          >
            <TextFields
              key={lang}
              lang={lang}
              text={text}
              fieldErrors={errors[lang]}
              disabled={pending}
              onChange={change}
            />
          </TabStrip>
          {error && !isConfirming && <ErrorMessage error={error} />}
          <div className="an-buttons">
            <span className="ht-faint">
              {filledLangs.length === 0 ? '还没有填写任何语言' : `已填写：${filledLangs.map(langName).join('、')}`}
            </span>
            <Button disabled={pending} onClick={() => close([tab])}>
              取消
            </Button>
            <Button loading={pending && !isConfirming} onClick={() => validate(0) && void save(0)}>
              保存草稿
            </Button>
            <Button type="primary" disabled={pending} onClick={() => validate(1) && setConfirming(true)}>
              发布
            </Button>
          </div>
        </div>
        <Preview title={text.title} html={text.content} lang={lang} platform={platform} />
      </div>
      {isConfirming && (
        <PublishDialog
          langs={filledLangs}
          titles={filledLangs.map((one) => texts[one]?.title ?? '')}
          platform={platform}
          requestKey={key}
          run={() => save(1)}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
