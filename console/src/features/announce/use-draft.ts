import { useState } from 'react';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { EMPTY_TEXT, type AnnounceText, type FieldErrors, isFilled, langs, validateText } from './draft.ts';

/** The texts that the form edits: that of an announcement, or one per language for new ones. */
export function useDraft(row: AnnounceRow | undefined) {
  const [texts, setTexts] = useState<Readonly<Record<string, AnnounceText>>>(row ? { [row.lang]: row } : {});
  const [lang, setLang] = useState(row?.lang ?? langs[0] ?? '');
  const [platform, setPlatform] = useState(row?.platform ?? 0);
  const [errors, setErrors] = useState<Readonly<Record<string, FieldErrors>>>({});
  const text = texts[lang] ?? EMPTY_TEXT;
  const filledLangs = row ? [lang] : langs.filter((one) => isFilled(texts[one] ?? EMPTY_TEXT));
  const isDirty = row
    ? text.title !== row.title || text.content !== row.content || lang !== row.lang || platform !== row.platform
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
    return Object.keys(nextErrors).length === 0;
  }

  return {
    texts,
    text,
    lang,
    platform,
    errors,
    filledLangs,
    isDirty,
    setLang,
    setPlatform,
    editText,
    changeLang,
    validate,
  };
}
