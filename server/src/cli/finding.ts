/** One finding of `doctor`. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  text: string;
  /** What to do; only of warnings and problems. */
  advice?: string;
}

export const good = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'warning',
  text,
  advice,
});
export const problem = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'problem',
  text,
  advice,
});
