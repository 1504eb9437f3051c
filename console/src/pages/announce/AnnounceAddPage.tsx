import './announce.css';
import { announce } from '@hengtai/contract/announce';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast } from '../../api/run-with-toast.ts';
import { usePageRoute, useTabGuard } from '../../shell/page-route.ts';
import { useTabActions } from '../../shell/tab-actions.ts';
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
import { EMPTY, type Text, type Wrong, isWritten, itemsOf, langs, wrongOf } from './draft.ts';

/** 新增公告: several languages at once; all of them are kept, or none. */
export function AnnounceAddPage() {
  const { key: tab, open } = usePageRoute();
  const { close } = useTabActions();
  const [texts, setTexts] = useState<Readonly<Record<string, Text>>>({});
  const [lang, setLang] = useState(langs[0] ?? '');
  const [platform, setPlatform] = useState(0);
  const [wrongs, setWrongs] = useState<Readonly<Record<string, Wrong>>>({});
  const [error, setError] = useState<DisplayError>();
  const [asking, setAsking] = useState(false);
  const [key, setKey] = useState(newKey);
  const [made, setMade] = useState(false);
  const { submit, pending } = useAction(announce.add, { invalidate: STALE });
  const written = langs.filter((one) => isWritten(texts[one] ?? EMPTY));
  useTabGuard(!made && written.length > 0);
  useEffect(() => {
    if (!made) return;
    close([tab]);
    open('/announce');
  }, [made, open, close, tab]);

  const text = texts[lang] ?? EMPTY;
  function change(next: Partial<Text>) {
    setTexts({ ...texts, [lang]: { ...text, ...next } });
    setWrongs(({ [lang]: _mended, ...rest }) => rest);
  }

  /** Whether it can be sent; shows the first language that something is wrong with. */
  function fits(state: 0 | 1): boolean {
    const found = Object.fromEntries(
      (written.length > 0 ? written : [lang]).flatMap((one) => {
        const wrong = wrongOf(texts[one] ?? EMPTY, state);
        return wrong ? [[one, wrong]] : [];
      }),
    );
    setWrongs(found);
    const first = langs.find((one) => found[one]);
    if (first !== undefined && !found[lang]) setLang(first);
    return first === undefined;
  }

  async function save(state: 0 | 1): Promise<DisplayError | undefined> {
    const failed = await runWithToast(() => submit({ announceList: itemsOf(texts, platform, state) }, key));
    setError(failed);
    // Only a request whose outcome is unknown is the same one when it is sent again.
    if (failed && failed.kind !== 'unknown') setKey(newKey());
    if (!failed) setMade(true);
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
              mark: wrongs[one] ? (
                <i className="an-dot" data-wrong role="img" aria-label="有误" />
              ) : (
                written.includes(one) && <i className="an-dot" role="img" aria-label="已填写" />
              ),
            }))}
            current={lang}
            onChange={setLang}
          >
            <TextFields key={lang} lang={lang} text={text} wrong={wrongs[lang]} disabled={pending} onChange={change} />
          </TabStrip>
          {error && !asking && <ErrorMessage error={error} />}
          <div className="an-buttons">
            <span className="ht-faint">
              {written.length === 0 ? '还没有填写任何语言' : `已填写：${written.map(langName).join('、')}`}
            </span>
            <Button disabled={pending} onClick={() => close([tab])}>
              取消
            </Button>
            <Button loading={pending && !asking} onClick={() => fits(0) && void save(0)}>
              保存草稿
            </Button>
            <Button type="primary" disabled={pending} onClick={() => fits(1) && setAsking(true)}>
              发布
            </Button>
          </div>
        </div>
        <Preview title={text.title} html={text.content} lang={lang} platform={platform} />
      </div>
      {asking && (
        <PublishDialog
          langs={written}
          titles={written.map((one) => texts[one]?.title ?? '')}
          platform={platform}
          requestKey={key}
          run={() => save(1)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
