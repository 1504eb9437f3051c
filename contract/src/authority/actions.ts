import type { ActionFacts, NounFacts } from './action.ts';
import { facts } from '../facts.ts';

type Actions = { [N in keyof typeof facts]: (typeof facts)[N]['actions'] };
type Facts = { [N in keyof Actions]: { [C in keyof Actions[N] & string]: [`${N}.${C}`, Actions[N][C]] } };
type Each = { [N in keyof Facts]: Facts[N][keyof Facts[N]] }[keyof Facts];

/** `noun.call` of every action. */
export type ActionCallName = Each[0];
/** The name of every action that may need a second person, as audit rows and approvals have it. */
export type ApprovableName = Each extends infer E
  ? E extends [infer N, infer F]
    ? F extends { approvable: string } | { guard: { loosens: string } }
      ? F extends { name: infer Name extends string }
        ? Name
        : N & string
      : never
    : never
  : never;
type PolicyOf<F> = Each extends infer E
  ? E extends [unknown, { approvable: infer P extends string; policy: F }]
    ? P
    : never
  : never;
export type PolicyName = PolicyOf<object>;
/** Policies with a limit per branch and for the whole tree, and with an amount above which two checkers are needed. */
export type LimitedPolicy = PolicyOf<{ limited: true }>;

export interface NamedAction extends ActionFacts {
  /** `noun.call`. */
  call: ActionCallName;
  /** Name in audit rows and approvals. */
  name: string;
}

export const allActions: readonly NamedAction[] = Object.entries<NounFacts>(facts).flatMap(([noun, { actions }]) =>
  Object.entries(actions).map(([key, action]) => {
    const call = `${noun}.${key}` as ActionCallName;
    return { ...action, call, name: action.name ?? call };
  }),
);

export const loosensOf = ({ guard }: ActionFacts): string | undefined =>
  typeof guard === 'object' ? guard.loosens : undefined;

export const auditLabelOf = ({ audit, summary }: ActionFacts): string => audit ?? summary;
export const approvalLabelOf = (action: ActionFacts): string => action.approval ?? auditLabelOf(action);
