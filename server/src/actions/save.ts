import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { Ctx } from '../app/context.ts';

/**
 * Lines of records by a key that is unique in the installation, such as a setting, or one entry of a list. A line that does
 * not exist is null or absent.
 */
export type Lines<L = unknown> = Readonly<Record<string, L | null>>;

/** Lines before and after a save. They leave out secrets, and what the platform or a job writes by itself. */
export interface Change<L = unknown> {
  before: Lines<L>;
  after: Lines<L>;
}

/** What a checker reads instead of keys, ids and codes. */
export interface Words {
  /** Names of lines, and of keys inside of records that are no fields. An empty name is left out. */
  names: Readonly<Record<string, string>>;
  /** Texts of values by their field, where the labels of the contract do not suffice. */
  texts?: Readonly<Record<string, (value: never) => string>>;
  /** The same key for what corresponds before and after, where the keys inside of a record differ. */
  keyOf?: (key: string) => string;
}

/** What a save does to the records as they are now. */
export interface JudgedSave {
  /** The lines that change, as they are. */
  before: Lines;
  /** The lines that change, as they will be. An approval signs them. */
  result: Lines;
  loosens: boolean;
  /** It only adds protection, so it ends the open approval of a line that it changes. */
  tightens: boolean;
  words: () => Promise<Words>;
}

/** A save of records. Its approval signs the result, and two open approvals never change the same line. */
export interface Save<I, T> {
  judge: (ctx: Ctx, target: T, input: I) => Promise<JudgedSave>;
  /** The input for the version that is in force, instead of the one that the maker has read. */
  renew: (input: I, target: T) => I;
}

interface LinesSave<I, T, L> {
  change: (ctx: Ctx, target: T, input: I) => Change<L> | Promise<Change<L>>;
  /** Whether one person can reach more afterwards. */
  loosens: (before: Lines<L>, after: Lines<L>, target: T) => boolean;
  /** The names of all lines, for the checker. */
  words: (ctx: Ctx, target: T, input: I) => Words | Promise<Words>;
  renew?: Save<I, T>['renew'];
}

/** A save of several lines. */
export const saveOfLines = <I, T, L>({ change, loosens, words, renew }: LinesSave<I, T, L>): Save<I, T> => ({
  judge: async (ctx, target, input) => {
    const { before, after } = await change(ctx, target, input);
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (line) => stableJson(before[line] ?? null) !== stableJson(after[line] ?? null),
    );
    const isLooser = loosens(before, after, target);
    const pickChanged = (lines: Lines<L>) => Object.fromEntries(changed.map((line) => [line, lines[line] ?? null]));
    return {
      before: pickChanged(before),
      result: pickChanged(after),
      loosens: isLooser,
      tightens: !isLooser && loosens(after, before, target),
      words: async () => words(ctx, target, input),
    };
  },
  renew: renew ?? ((input) => input),
});

interface RecordSave<I, T, R> {
  /** The key of the line, such as `market:3`. */
  line: (target: T, input: I) => string;
  /** The record; null if it is new. */
  before: (target: T, input: I) => R | null;
  /** The record after the save; null if it is removed. */
  after: (target: T, input: I, ctx: Ctx) => R | null | Promise<R | null>;
  /** Whether one person can reach more afterwards. */
  loosens: (before: R | null, after: R | null, target: T) => boolean;
  /** The name of the record, for the checker. */
  title: (target: T, input: I) => string;
  /** Names and texts of what is inside of the record. */
  words?: (ctx: Ctx, target: T, input: I) => Partial<Words> | Promise<Partial<Words>>;
  renew?: Save<I, T>['renew'];
}

/** A save of one record. */
export const saveOfRecord = <I, T, R>(save: RecordSave<I, T, R>): Save<I, T> => {
  const { line, before, after, loosens, title, words, renew } = save;
  return saveOfLines<I, T, R>({
    change: async (ctx, target, input) => {
      const key = line(target, input);
      return { before: { [key]: before(target, input) }, after: { [key]: await after(target, input, ctx) } };
    },
    loosens: (old, next, target) => loosens(onlyLineOf(old), onlyLineOf(next), target),
    words: async (ctx, target, input) => {
      const { names, ...others } = (await words?.(ctx, target, input)) ?? {};
      return { ...others, names: { ...names, [line(target, input)]: title(target, input) } };
    },
    ...(renew && { renew }),
  });
};

const onlyLineOf = <R>(lines: Lines<R>): R | null => Object.values(lines)[0] ?? null;
