import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { useState } from 'react';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { EMPTY_TEXT, type AnnounceText, type FieldErrors, isFilled, langs as allLangs, validateText } from './draft.ts';

/** The languages to add to an announcement that exists in others. */
export interface Addition {
  group: number;
  langs: readonly string[];
  platform: number;
  pinned: number;
}

const PAST = '定时发布的时间必须晚于现在';

/** The texts that the form edits: that of an announcement, or one per language for new ones. */
export function useDraft(row: AnnounceRow | undefined, addition: Addition | undefined) {
  const langs = addition?.langs ?? allLangs;
  const [texts, setTexts] = useState<Readonly<Record<string, AnnounceText>>>(row ? { [row.lang]: row } : {});
  const [lang, setLang] = useState(row?.lang ?? langs[0] ?? '');
  const [platform, setPlatform] = useState(row?.platform ?? addition?.platform ?? 0);
  const [pinned, setPinned] = useState(row?.pinned ?? (addition?.pinned === 1 ? 1 : 0));
  const [publishAt, setPublishAt] = useState(row?.publishAt ?? null);
  const [errors, setErrors] = useState<Readonly<Record<string, FieldErrors>>>({});
  const [scheduleError, setScheduleError] = useState<string>();
  const text = texts[lang] ?? EMPTY_TEXT;
  const filledLangs = row ? [lang] : langs.filter((one) => isFilled(texts[one] ?? EMPTY_TEXT));
  const isDirty = row
    ? text.title !== row.title ||
      text.content !== row.content ||
      lang !== row.lang ||
      platform !== row.platform ||
      pinned !== row.pinned ||
      publishAt !== row.publishAt
    : filledLangs.length > 0;

  function editText(next: Partial<AnnounceText>) {
    setTexts((now) => ({ ...now, [lang]: { ...(now[lang] ?? EMPTY_TEXT), ...next } }));
    setErrors(({ [lang]: _edited, ...rest }) => rest);
  }

  /** An announcement that exists takes its text and its errors along. */
  function changeLang(next: string) {
    setTexts({ [next]: text });
    setErrors(errors[lang] ? { [next]: errors[lang] } : {});
    setLang(next);
  }

  /**
   * Validates the languages that have a text and selects the first one with an error. Returns true if none has. A
   * scheduled draft needs what a published text needs.
   */
  function validate(state: 0 | 1): boolean {
    const isScheduled = state === ANNOUNCE.draft && publishAt !== null;
    const nextErrors = Object.fromEntries(
      (filledLangs.length > 0 ? filledLangs : [lang]).flatMap((one) => {
        const fieldErrors = validateText(texts[one] ?? EMPTY_TEXT, isScheduled ? 1 : state);
        return fieldErrors ? [[one, fieldErrors]] : [];
      }),
    );
    const nextScheduleError = isScheduled && publishAt <= Date.now() ? PAST : undefined;
    setErrors(nextErrors);
    setScheduleError(nextScheduleError);
    const first = langs.find((one) => nextErrors[one]);
    if (first !== undefined && !nextErrors[lang]) setLang(first);
    return Object.keys(nextErrors).length === 0 && nextScheduleError === undefined;
  }

  return {
    langs,
    texts,
    text,
    lang,
    platform,
    pinned,
    publishAt,
    errors,
    scheduleError,
    filledLangs,
    isDirty,
    setLang,
    setPlatform,
    setPinned,
    setPublishAt,
    editText,
    changeLang,
    validate,
  };
}

export type Draft = ReturnType<typeof useDraft>;
