/** Asks the operator for a one-time code; null when the question was dismissed. `refusal` says why it is asked again. */
export type CodeAsker = (refusal: string | null) => Promise<string | null>;

let asker: CodeAsker | undefined;

/** The shell gives the dialog. Without one, a call that needs a code fails with 428. */
export function setCodeAsker(next: CodeAsker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = undefined;
  };
}

export const askFreshCode: CodeAsker = (refusal) => (asker ? asker(refusal) : Promise.resolve(null));

/** What an authenticator shows, or a recovery code, however it is grouped. */
export const isWholeCode = (typed: string): boolean => /^(\d{6}|[0-9A-Za-z]{12})$/.test(typed.replaceAll(/[\s-]/g, ''));

/** Whether a refusal says that codes have to be set up, or the password changed, first: asking for a code is no use. */
export const isSetupDue = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  (('setup' in data && data.setup === true) || ('password' in data && data.password === true));

let hearSetupDue: (() => void) | undefined;

/** The shell looks again at who is at work, and leads to the set-up. */
export function onSetupDue(listener: () => void): () => void {
  hearSetupDue = listener;
  return () => {
    if (hearSetupDue === listener) hearSetupDue = undefined;
  };
}

export const notifySetupDue = (): void => hearSetupDue?.();
