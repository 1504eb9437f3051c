/** What an action is called in a row, and on its dialog and button. */
export interface ActionLabels {
  short: string;
  verb: string;
  danger: boolean;
}

interface ActionRules<Action extends string> {
  words: Readonly<Record<Action, ActionLabels>>;
  /** States in which each action can be done, and what every state is called. */
  can: Readonly<Record<Action, readonly number[]>>;
  states: Readonly<Record<number, string>>;
  noAbility: string;
}

/** Why an action cannot be done with a row now, in the operator's words; undefined when it can. */
export function whyNotOf<Action extends string>({ words, can, states, noAbility }: ActionRules<Action>) {
  const named = (state: number) => `「${states[state] ?? state}」`;
  return (action: Action, row: { state: number }, able: boolean): string | undefined => {
    if (!able) return noAbility;
    if (can[action].includes(row.state)) return undefined;
    return `当前为${named(row.state)}，仅${can[action].map(named).join('或')}可${words[action].short}`;
  };
}
