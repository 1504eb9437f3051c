import { ABILITY, type Ability } from '@hengtai/contract/authority/ability';
import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { can } from '../../api/me.ts';
import type { Choice, PaletteCommand } from './choice.ts';
import { rankTitle } from './rank-title.ts';

interface Verb {
  title: string;
  /** One syllable per character. */
  pinyin: string;
  ability?: Ability;
  path?: string;
  command?: PaletteCommand;
}

const queuePath = (page: string, state: number): string => `${page}?state=${state}&sort=createdAt&queue=1`;

const verbs: readonly Verb[] = [
  {
    title: '开始审核',
    pinyin: 'kai shi shen he',
    ability: ABILITY.withdraw,
    path: queuePath('/withdraw', WITHDRAW.review),
  },
  { title: '开始审核实名', pinyin: 'kai shi shen he shi ming', ability: ABILITY.identity, path: queuePath('/auth', 0) },
  {
    title: '开始审核认购',
    pinyin: 'kai shi shen he ren gou',
    ability: ABILITY.subscription,
    path: '/ieo/review?sort=createdAt&queue=1',
  },
  { title: '打开客服', pinyin: 'da kai ke fu', path: '/service' },
  { title: '切换主题', pinyin: 'qie huan zhu ti', command: { name: 'theme' } },
];

const toChoice = ({ title, pinyin, path, command }: Verb): Choice => ({
  path: path ?? `command:${title}`,
  title,
  pinyin,
  kind: '操作',
  ...(command && { command }),
});

/** The verbs that match the input and that the operator may run. */
export const matchVerbs = (me: Me, typed: string): Choice[] =>
  verbs
    .filter(({ ability }) => ability === undefined || can(me, ability))
    .map((verb) => ({ verb, rank: rankTitle(verb.title, verb.pinyin, typed) }))
    .filter((one): one is { verb: Verb; rank: number } => one.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ verb }) => toChoice(verb));

/** The words of `冻结 alice`: whom to freeze or enable; undefined if the input does not say so or the operator may not. */
export function freezeTarget(me: Me, typed: string): { state: 0 | 1; text: string } | undefined {
  const [, verb, text] = /^(冻结|启用)\s*(\S.*)$/.exec(typed) ?? [];
  if (text === undefined || !can(me, ABILITY.users)) return undefined;
  return { state: verb === '冻结' ? 1 : 0, text };
}

/** One line per found user in the state that the verb changes. */
export const freezeChoices = (rows: readonly SearchRow[], state: 0 | 1): Choice[] =>
  rows
    .filter((row) => row.type === 'user' && row.state === state)
    .map(({ id, account, detail, state }) => ({
      path: `command:freeze/${id}`,
      title: `${state === 1 ? '冻结' : '启用'} ${account}`,
      kind: `用户 #${id}`,
      note: detail,
      command: { name: 'freeze', user: { id, account, state } },
    }));
