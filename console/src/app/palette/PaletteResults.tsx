import { ABILITY } from '@hengtai/contract/authority/ability';
import { config } from '@hengtai/contract/desk/config/calls';
import { search } from '@hengtai/contract/desk/search/calls';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Me } from '@hengtai/contract/house/session/schema';
import { can, useMe } from '../../api/me.ts';
import type { Choice, PaletteCommand } from './choice.ts';
import { freezeChoices, freezeTarget, matchVerbs } from './verbs.ts';
import { usePreference } from '../../ui/browser/preference.ts';
import { useDebounced } from '../../ui/browser/use-debounced.ts';
import { openPath } from '../../navigation/open-path.ts';
import {
  choiceOf,
  isSearchable,
  matchPages,
  pageChoices,
  settingChoices,
  startsWithText,
  toStored,
  visibleRecentChoices,
} from './palette-results.ts';
import { isNameOf } from './rank-title.ts';
import { QueryPlace } from '../../api/QueryPlace.tsx';
import { isComposing } from '../../ui/browser/ime.ts';

const RECENT_MAX = 8;
const PAGES_MAX = 8;
const DEBOUNCE_MS = 200;
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
  /** The input of the palette; keys that move the selection are handled here. */
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  text: string;
  /** Enter was pressed: chooses as soon as the results are known. */
  isEntered: boolean;
  onCommand: (command: PaletteCommand) => void;
  onClose: () => void;
}

/** The results of the palette and the choice among them. */
export function PaletteResults({ input, listId, text, isEntered, onCommand, onClose }: Props) {
  const me = useMe();
  const [selected, setSelected] = useState({ text, index: 0 });
  const [recent, setRecent] = usePreference<readonly Choice[]>('menu.recent', NONE, parseRecent);
  const pageList = useMemo(() => pageChoices(me), [me]);
  const { groups, isSearching, failed } = useResults(text, me, pageList, visibleRecentChoices(recent, me));
  const choices = groups.flatMap(({ choices }) => choices);
  // Another text starts at its first result.
  const current = Math.min(selected.text === text ? selected.index : 0, choices.length - 1);
  const select = (index: number) => setSelected({ text, index });
  const activeId = choices.length > 0 ? `${listId}${current}` : undefined;

  function choose(choice: Choice) {
    onClose();
    if (choice.command) {
      onCommand(choice.command);
      return;
    }
    const stored = toStored(choice);
    setRecent([stored, ...recent.filter(({ path }) => path !== stored.path)].slice(0, RECENT_MAX));
    openPath(choice.path);
  }

  const chooseCurrent = useEffectEvent(() => {
    const choice = choices[current];
    if (choice) choose(choice);
  });
  const isDue = isEntered && !isSearching && choices.length > 0;
  useEffect(() => {
    if (isDue) chooseCurrent();
  }, [isDue]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (choices.length > 0) select((current + step + choices.length) % choices.length);
  });
  useEffect(() => {
    const element = input.current;
    const listen = (event: KeyboardEvent) => onKey(event);
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [input]);
  useLayoutEffect(() => {
    if (activeId === undefined) input.current?.removeAttribute('aria-activedescendant');
    else input.current?.setAttribute('aria-activedescendant', activeId);
  }, [input, activeId]);

  return (
    <>
      <div id={listId} className="ht-palette-list" role="listbox" aria-label="结果" aria-busy={isSearching}>
        <Groups groups={groups} id={listId} current={current} onPoint={select} onChoose={choose} />
      </div>
      {failed && <QueryPlace query={failed} isSmall />}
      <p className="ht-palette-foot" role="status">
        {choices.length === 0 ? (failed ? '' : emptyText(text, isSearching)) : '↑ ↓ 选择　Enter 打开　Esc 关闭'}
      </p>
    </>
  );
}

function emptyText(text: string, isSearching: boolean): string {
  if (isSearching) return '正在查找…';
  return text === '' ? '输入后开始查找' : '没有找到；只能找到您有权查看的内容';
}

/** Results for the input: pages at once, records after the server call; recent choices for an empty input. */
function useResults(text: string, me: Me, pageList: readonly Choice[], recent: readonly Choice[]) {
  const target = freezeTarget(me, text);
  const wanted = target?.text ?? text;
  const debounced = useDebounced(wanted, DEBOUNCE_MS);
  const isEnabled = isSearchable(debounced);
  const query = useRead(search.find, { word: debounced }, { enabled: isEnabled, staleTime: 10_000 });
  const { data, isFetching, error } = query;
  const settings = useRead(
    config.list,
    {},
    {
      enabled: text !== '' && can(me, ABILITY.platform),
      staleTime: 60_000,
    },
  );
  if (text === '') {
    const isRecent = new Set(recent.map(({ path }) => path));
    const groups: Group[] = [
      { title: '最近', choices: recent },
      { title: '页面', choices: pageList.filter(({ path }) => !isRecent.has(path)).slice(0, PAGES_MAX) },
    ];
    return { groups: groups.filter(({ choices }) => choices.length > 0), isSearching: false, failed: undefined };
  }
  const rows = isEnabled && debounced === wanted ? (data ?? []) : [];
  const records = target ? [] : rows.map(choiceOf);
  const users = records.filter(({ path }) => path.startsWith('/user'));
  const verbs = target ? freezeChoices(rows, target.state) : matchVerbs(me, text);
  const pages = matchPages(pageList, text).slice(0, PAGES_MAX);
  const isNamed = [...verbs, ...pages].some(({ title, pinyin = '' }) => isNameOf(title, pinyin, text));
  const pageGroups: Group[] = [
    { title: '操作', choices: verbs },
    { title: '页面', choices: pages },
  ];
  const userGroup: Group = { title: '用户', choices: users };
  // An account that begins with the input goes before pages that merely match it.
  const isAccount = !isNamed && users.some(({ title }) => startsWithText(title, text));
  const groups: Group[] = [
    ...(isAccount ? [userGroup, ...pageGroups] : [...pageGroups, userGroup]),
    { title: '记录', choices: records.filter((choice) => !users.includes(choice)) },
    { title: '设置', choices: settingChoices(settings.data ?? [], text) },
  ];
  const isPending = isSearchable(wanted) && (debounced !== wanted || (isFetching && !data));
  // Named pages and verbs can be chosen while records are still loading.
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    isSearching: isPending && !isNamed,
    failed: error && !data ? query : undefined,
  };
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
            className="ht-palette-one"
            onPointerMove={() => position !== current && onPoint(position)}
            onClick={() => onChoose(choice)}
            onKeyDown={undefined}
          >
            <b>{choice.title}</b>
            {choice.note && <span className="ht-palette-note">{choice.note}</span>}
            <span className="ht-palette-kind">{choice.kind}</span>
          </div>
        );
      })}
    </div>
  ));
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
