import './palette.css';
import { search } from '@hengtai/contract/search';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Me } from '@hengtai/contract/session.schema';
import { useMe } from '../../api/me.ts';
import { PageModal } from '../../ui/PageModal.tsx';
import type { Choice, Command } from './choice.ts';
import { freezeChoices, freezeTarget, matchVerbs } from './verbs.ts';
import { usePreference } from '../../ui/preference.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { openPath } from '../../navigation/open-path.ts';
import { choiceOf, isSearchable, toStored, pageChoices, matchPages, visibleRecentChoices } from './palette-results.ts';

const RECENT_MAX = 8;
const PAGES_MAX = 8;
const TYPING_MS = 200;
const NONE: readonly Choice[] = [];

function parseRecent(stored: unknown): readonly Choice[] | undefined {
  const isChoice = (choice: unknown): choice is Choice =>
    typeof choice === 'object' && choice !== null && 'path' in choice && 'title' in choice && 'kind' in choice;
  return Array.isArray(stored) && stored.every(isChoice) ? stored : undefined;
}

interface Group {
  title: string;
  choices: readonly Choice[];
}

interface Props {
  /** Returns the keys typed while the palette was loading; called once its input has the focus. */
  takeEarlyKeys: () => string;
  onCommand: (command: Command) => void;
  onClose: () => void;
}

/**
 * 查找: finds pages by name, users by any part of account and remark, records by number, address or hash, and runs verbs; fully
 * usable by keyboard.
 */
export function CommandPalette({ takeEarlyKeys, onCommand, onClose }: Props) {
  const me = useMe();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const [recent, setRecent] = usePreference<readonly Choice[]>('menu.recent', NONE, parseRecent);
  const pageList = useMemo(() => pageChoices(me), [me]);
  const { groups, isSearching } = useResults(text.trim(), me, pageList, visibleRecentChoices(recent, me));
  const id = useId();
  const choices = groups.flatMap(({ choices }) => choices);
  const current = Math.min(index, choices.length - 1);

  const input = useRef<HTMLInputElement>(null);

  function onOpenChange(open: boolean) {
    if (!open) return;
    input.current?.focus();
    const earlyKeys = takeEarlyKeys();
    setText((text) => text + earlyKeys);
  }

  function choose(choice: Choice) {
    if (choice.command) {
      onClose();
      onCommand(choice.command);
      return;
    }
    const stored = toStored(choice);
    setRecent([stored, ...recent.filter(({ path }) => path !== stored.path)].slice(0, RECENT_MAX));
    onClose();
    openPath(choice.path);
  }

  function onKey(event: KeyboardEvent) {
    // During an IME composition Enter and arrows choose characters.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) setIndex((current + step + choices.length) % choices.length);
    const currentChoice = choices[current];
    if (event.key === 'Enter' && currentChoice && !isSearching) choose(currentChoice);
    if (step !== undefined || event.key === 'Enter') event.preventDefault();
  }

  return (
    <PageModal
      title="查找"
      width={600}
      footer={null}
      mask={{ closable: true }}
      className="pal"
      afterOpenChange={onOpenChange}
      onCancel={onClose}
    >
      <input
        ref={input}
        className="pal-input"
        role="combobox"
        aria-label="查找页面、用户、记录或操作"
        aria-expanded
        aria-controls={`${id}list`}
        aria-activedescendant={choices.length > 0 ? `${id}${current}` : undefined}
        aria-autocomplete="list"
        placeholder="页面、账号或备注的任意部分、单号、地址或哈希的首尾六位、操作"
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}list`} className="pal-list" role="listbox" aria-label="结果" aria-busy={isSearching}>
        <Groups groups={groups} id={id} current={current} onPoint={setIndex} onChoose={choose} />
      </div>
      <p className="pal-foot" role="status">
        {choices.length === 0 ? emptyText(text, isSearching) : '↑ ↓ 选择　Enter 打开　Esc 关闭'}
      </p>
    </PageModal>
  );
}

function emptyText(text: string, isSearching: boolean): string {
  if (isSearching) return '正在查找…';
  return text.trim() === '' ? '输入后开始查找' : '没有找到；只能找到您有权查看的内容';
}

/** Results for the input: pages at once, records after the server call; recent choices for an empty input. */
function useResults(text: string, me: Me, pageList: readonly Choice[], recent: readonly Choice[]) {
  const target = freezeTarget(me, text);
  const wanted = target?.text ?? text;
  const debounced = useDebounced(wanted, TYPING_MS);
  const isEnabled = isSearchable(debounced);
  const { data, isFetching } = useRead(search.find, { word: debounced }, { enabled: isEnabled, staleTime: 10_000 });
  if (text === '') {
    const isRecent = new Set(recent.map(({ path }) => path));
    const groups: Group[] = [
      { title: '最近', choices: recent },
      { title: '页面', choices: pageList.filter(({ path }) => !isRecent.has(path)).slice(0, PAGES_MAX) },
    ];
    return { groups: groups.filter(({ choices }) => choices.length > 0), isSearching: false };
  }
  const rows = isEnabled && debounced === wanted ? (data ?? []) : [];
  const records = target ? [] : rows.map(choiceOf);
  const users = records.filter(({ path }) => path.startsWith('/user'));
  const groups: Group[] = [
    { title: '操作', choices: target ? freezeChoices(rows, target.state) : matchVerbs(me, text) },
    { title: '页面', choices: matchPages(pageList, text).slice(0, PAGES_MAX) },
    { title: '用户', choices: users },
    { title: '记录', choices: records.filter((choice) => !users.includes(choice)) },
  ];
  // A matching page or verb can be chosen while records are still loading.
  const pages = (groups[0]?.choices.length ?? 0) + (groups[1]?.choices.length ?? 0);
  const pending = isSearchable(wanted) && (debounced !== wanted || (isFetching && !data));
  return { groups: groups.filter(({ choices }) => choices.length > 0), isSearching: pending && pages === 0 };
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
        const position = index;
        return (
          <div
            key={choice.path}
            id={`${id}${position}`}
            ref={position === current ? intoView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={position === current}
            className="pal-one"
            onPointerMove={() => position !== current && onPoint(position)}
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
