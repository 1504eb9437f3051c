/** Labels of an action: short in rows, verb on dialogs and buttons. */
export interface ActionLabels {
  short: string;
  verb: string;
  danger: boolean;
}

interface ActionRules<Action extends string> {
  words: Readonly<Record<Action, ActionLabels>>;
  /** States in which each action is possible, and the labels of all states. */
  can: Readonly<Record<Action, readonly number[]>>;
  states: Readonly<Record<number, string>>;
  noAbility: string;
}

/**
 * Returns a function that explains why an action is not possible for a row; it returns undefined if the action is
 * possible.
 */
export function createDisabledReason<Action extends string>({ words, can, states, noAbility }: ActionRules<Action>) {
  const quoteState = (state: number) => `「${states[state] ?? state}」`;
  return (action: Action, row: { state: number }, hasAbility: boolean): string | undefined => {
    if (!hasAbility) return noAbility;
    if (can[action].includes(row.state)) return undefined;
    return `当前为${quoteState(row.state)}，仅${can[action].map(quoteState).join('或')}可${words[action].short}`;
  };
}
