import type { Ability } from './ability.ts';

/** When an action needs a checker in a new installation. */
export interface PolicyFacts {
  /** A key of `POLICY`, and the amount in USDT for `above`. */
  mode: 0 | 1 | 2;
  amount: string;
  /** Whose branch the checker must have in its scope. */
  who: 'user' | 'agent' | 'maker';
  /** Name of the policy, if it is not that of its action. */
  label?: string;
  /** Has a limit per branch and for the whole tree, and an amount above which two checkers are needed. */
  limited?: true;
}

/**
 * What needs a second person while four-eyes are locked: nothing, what the policy of the action says, or the uses that
 * loosen a protection. Uses that tighten one need no confirmation.
 */
export type GuardFacts = 'none' | 'policy' | { loosens?: string; tightens?: string };

/**
 * The facts of an action, which is a call that changes something, as plain values. Registries by action derive from them.
 * They are apart from the calls, so that the console's start needs no lists.
 */
export interface ActionFacts {
  /** What its button and its dialog say. */
  summary: string;
  /** What its button in a row says. */
  short?: string;
  /** Its button is red. */
  danger?: true;
  /** Required ability; without it the call is refused with 403. */
  ability?: Ability;
  /**
   * Kind of the record that the input names. A record outside the operator's scope is answered with 404, and with 403 if it
   * needs full scope.
   */
  target?: string;
  /** States of the target in which the action is allowed. The server enforces them, the console disables buttons by them. */
  from?: readonly number[];
  /**
   * Whether the call takes a reason. `required`: it is refused without one. `expected`: the console requires one, the call
   * does not, and the audit row and the approval then record `NO_REASON`.
   */
  reason?: 'optional' | 'expected' | 'required';
  /** Suggested reasons. */
  reasons?: readonly string[];
  /** Needs a one-time code at most five minutes old, if the operator has set up codes. */
  fresh?: true;
  /** Name in audit rows and approvals, if it is not `noun.call`. */
  name?: string;
  /** Label in the audit log, if it is not `summary`. */
  audit?: string;
  /** Label of its approvals, if it is not that of the audit log. */
  approval?: string;
  /** Name of the policy that may require a second person (code 202). */
  approvable?: string;
  /** Set on the first action of each policy. */
  policy?: PolicyFacts;
  guard: GuardFacts;
}

export type ActionTable = Readonly<Record<string, ActionFacts>>;

/** A kind of record that actions, approvals, notifications and audit rows name. */
export interface TargetFacts {
  label: string;
  /** Page of a record; `{id}` stands for its id. A kind without a page per record has that of its list, or none. */
  path?: string;
  /** Labels of its states. */
  states?: Readonly<Record<number, string>>;
  /** The search finds its records by number. */
  isSearchable?: true;
  /** Only ledger entries are about it, so the audit log offers no filter for it. */
  ledgerOnly?: true;
}

export interface NotificationFacts {
  label: string;
  /** The list that it changes, if it is not that of the first part of its type. */
  noun?: string;
  /** Needs attention: it is unread in the bell and may play a sound. */
  rings?: true;
  /** Not shown to operators. It only makes counts and lists refresh at once. */
  quiet?: true;
}

/** A work queue of the home page. */
export interface QueueFacts<Action extends string = string> {
  /** Default target time; 0 means no target. */
  targetMinutes: number;
  /**
   * The actions that decide about a record. Its records are claimed, so that two operators do not work on the same one. Absent
   * if its records are not reviewed one by one.
   */
  decisions?: readonly Action[];
  /** Who gets a record that was escalated, if not operators with `ABILITY.approval`: those who also have this ability. */
  above?: Ability;
}

/** Records that wait for operators. The badges of the menu, the bell, the window title and the queues derive from it. */
export interface WaitingFacts<Action extends string = string> {
  label: string;
  /** Kind of the records, if it is not that of the noun. */
  target?: string;
  /** Filters exactly them in the list of the target's page. */
  query: string;
  /** The count is sent to operators with this ability, or one of these: others cannot act on it. */
  ability: Ability | readonly Ability[];
  /** False if it does not count in the badge of the menu and in the window title. */
  badge?: false;
  /** Absent if the records are only counted. */
  queue?: QueueFacts<Action>;
}

/** What is known of a noun before its calls are loaded, as plain values. `Action` are the names of its actions. */
export interface NounFacts<Action extends string = string> {
  actions: ActionTable;
  /** The kinds of its records. */
  targets?: Readonly<Record<string, TargetFacts>>;
  /** The types of notifications about its records. */
  notifications?: Readonly<Record<string, NotificationFacts>>;
  /** Which of its records wait for operators, by the name of the count. Counts are exact and cover the caller's tree. */
  waiting?: Readonly<Record<string, WaitingFacts<Action>>>;
}

type ActionStates<T extends ActionTable> = {
  readonly [C in keyof T as T[C] extends { from: readonly number[] } ? C : never]: T[C] extends {
    from: infer F extends readonly number[];
  }
    ? F
    : never;
};

/** The states in which each action is allowed. */
export const actionStatesOf = <const T extends ActionTable>(table: T): ActionStates<T> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { from }]) => (from ? [[name, from] as const] : [])),
    // The keys are those of the actions with `from`.
  ) as ActionStates<T>;

type ButtonNames<T extends ActionTable> = {
  [C in keyof T]: T[C] extends { short: string } ? C : never;
}[keyof T];

/** The labels of each action that has a button in a row: `short` there, `verb` on its dialog. */
export const buttonLabelsOf = <const T extends ActionTable>(
  table: T,
): Readonly<Record<ButtonNames<T>, { short: string; verb: string; danger: boolean }>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { short, summary, danger = false }]) =>
      short === undefined ? [] : [[name, { short, verb: summary, danger }] as const],
    ),
    // The keys are those of the actions with `short`.
  ) as Readonly<Record<ButtonNames<T>, { short: string; verb: string; danger: boolean }>>;
