export const stateName = (labels: Readonly<Record<number, string>>, state: number): string =>
  labels[state] ?? String(state);
