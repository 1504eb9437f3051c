/** Asks the operator for a one-time code; null if cancelled. `refusal` is why the last code was rejected. */
export type CodeAsker = (refusal: string | null) => Promise<string | null>;

let asker: CodeAsker | undefined;

/**
 * Registers the dialog of the shell; returns a function that removes it. Without one, calls that need a code fail with
 * 428.
 */
export function setCodeAsker(newAsker: CodeAsker): () => void {
  asker = newAsker;
  return () => {
    if (asker === newAsker) asker = undefined;
  };
}

export const askFreshCode: CodeAsker = (refusal) => (asker ? asker(refusal) : Promise.resolve(null));

/** Whether the input is a complete authenticator or recovery code; spaces and hyphens are ignored. */
export const isWholeCode = (input: string): boolean => /^(\d{6}|[0-9A-Za-z]{12})$/.test(input.replaceAll(/[\s-]/g, ''));

/** Whether the refusal demands setting up codes or changing the password first; asking for a code is useless then. */
export const isSetupDue = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  (('setup' in data && data.setup === true) || ('password' in data && data.password === true));

let setupDueListener: (() => void) | undefined;

/** Registers the listener that reloads the operator and shows the set-up; returns a function that removes it. */
export function onSetupDue(listener: () => void): () => void {
  setupDueListener = listener;
  return () => {
    if (setupDueListener === listener) setupDueListener = undefined;
  };
}

export const notifySetupDue = (): void => setupDueListener?.();
