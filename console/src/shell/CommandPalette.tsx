import './palette.css';
import { search } from '@hengtai/contract/search';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { PageModal } from '../ui/PageModal.tsx';
import { usePreference } from '../ui/preference.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { go } from './go.ts';
import { type Choice, choiceOf, isSearchable, keptOf, pageChoices, pagesFor, recentFor } from './palette-finds.ts';

const RECENT_MAX = 8;
const PAGES_MAX = 8;
const TYPING_MS = 200;
const NONE: readonly Choice[] = [];

function isRecent(stored: unknown): readonly Choice[] | undefined {
  const isChoice = (one: unknown): one is Choice =>
    typeof one === 'object' && one !== null && 'path' in one && 'title' in one && 'kind' in one;
  return Array.isArray(stored) && stored.every(isChoice) ? stored : undefined;
}

interface Group {
  title: string;
  choices: readonly Choice[];
}

interface Props {
  /** What was typed while the palette was on its way; asked for once it can be typed into. */
  takeEarly: () => string;
  onClose: () => void;
}

/** 查找: a page by its name, a user by account or id, a record by its number; all by keyboard. */
export function CommandPalette({ takeEarly, onClose }: Props) {
  const me = useMe();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [recent, setRecent] = usePreference<readonly Choice[]>('menu.recent', NONE, isRecent);
  const known = useMemo(() => pageChoices(me), [me]);
  const { groups, looking } = useFinds(typed.trim(), known, recentFor(recent, me));
  const id = useId();
  const flat = groups.flatMap(({ choices }) => choices);
  const current = Math.min(at, flat.length - 1);

  const input = useRef<HTMLInputElement>(null);

  function stand(open: boolean) {
    if (!open) return;
    input.current?.focus();
    const early = takeEarly();
    setTyped((text) => text + early);
  }

  function choose(choice: Choice) {
    const kept = keptOf(choice);
    setRecent([kept, ...recent.filter(({ path }) => path !== kept.path)].slice(0, RECENT_MAX));
    onClose();
    go(choice.path);
  }

  function onKey(event: KeyboardEvent) {
    // What an input method is still composing is its own: Enter and the arrows choose characters there.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && flat.length > 0) setAt((current + step + flat.length) % flat.length);
    const chosen = flat[current];
    if (event.key === 'Enter' && chosen && !looking) choose(chosen);
    if (step !== undefined || event.key === 'Enter') event.preventDefault();
  }

  return (
    <PageModal
      title="查找"
      width={600}
      footer={null}
      mask={{ closable: true }}
      className="pal"
      afterOpenChange={stand}
      onCancel={onClose}
    >
      <input
        ref={input}
        className="pal-input"
        role="combobox"
        aria-label="查找页面、用户或单号"
        aria-expanded
        aria-controls={`${id}list`}
        aria-activedescendant={flat.length > 0 ? `${id}${current}` : undefined}
        aria-autocomplete="list"
        placeholder="页面（中文、拼音或首字母）、用户账号或编号、单号"
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}list`} className="pal-list" role="listbox" aria-label="结果" aria-busy={looking}>
        <Groups groups={groups} id={id} current={current} onPoint={setAt} onChoose={choose} />
      </div>
      <p className="pal-foot" role="status">
        {flat.length === 0 ? emptyText(typed, looking) : '↑ ↓ 选择　Enter 打开　Esc 关闭'}
      </p>
    </PageModal>
  );
}

function emptyText(typed: string, looking: boolean): string {
  if (looking) return '正在查找…';
  return typed.trim() === '' ? '输入后开始查找' : '没有找到；只能找到您有权查看的内容';
}

/** What answers: pages at once, records when the server has been asked; where nothing is typed, what was chosen last. */
function useFinds(text: string, known: readonly Choice[], recent: readonly Choice[]) {
  const settled = useDebounced(text, TYPING_MS);
  const asks = isSearchable(settled);
  const { data, isFetching } = useRead(search.find, { word: settled }, { enabled: asks, staleTime: 10_000 });
  if (text === '') return { groups: recent.length > 0 ? [{ title: '最近', choices: recent }] : [], looking: false };
  const found = asks && settled === text ? (data ?? []).map(choiceOf) : [];
  const users = found.filter(({ path }) => path.startsWith('/user'));
  const groups: Group[] = [
    { title: '页面', choices: pagesFor(known, text).slice(0, PAGES_MAX) },
    { title: '用户', choices: users },
    { title: '记录', choices: found.filter((one) => !users.includes(one)) },
  ];
  // A page that answers already can be opened while records are still being looked for.
  const pages = groups[0]?.choices.length ?? 0;
  const pending = isSearchable(text) && (settled !== text || (isFetching && !data));
  return { groups: groups.filter(({ choices }) => choices.length > 0), looking: pending && pages === 0 };
}

interface GroupsProps {
  groups: readonly Group[];
  id: string;
  current: number;
  onPoint: (index: number) => void;
  onChoose: (choice: Choice) => void;
}

function Groups({ groups, id, current, onPoint, onChoose }: GroupsProps) {
  let index = -1;
  return groups.map(({ title, choices }) => (
    <div key={title} role="group" aria-label={title}>
      <h2 aria-hidden>{title}</h2>
      {choices.map((choice) => {
        index += 1;
        const own = index;
        return (
          <div
            key={choice.path}
            id={`${id}${own}`}
            ref={own === current ? intoView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={own === current}
            className="pal-one"
            onPointerMove={() => own !== current && onPoint(own)}
            onClick={() => onChoose(choice)}
            onKeyDown={undefined}
          >
            <b>{choice.title}</b>
            {choice.note && <span className="pal-note">{choice.note}</span>}
            <span className="pal-kind">{choice.kind}</span>
          </div>
        );
      })}
    </div>
  ));
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
