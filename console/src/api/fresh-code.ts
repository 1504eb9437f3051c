import type { Assertion, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';

/** A second factor of the operator: a code, or the answer of a passkey. */
export type FreshFactor = { code: string } | { passkey: Assertion };

export interface FactorQuestion {
  /** Why the last factor was rejected. */
  refusal: string | null;
  /** The operator may type a code. */
  code: boolean;
  /** Challenges the operator's passkeys; undefined if it has none for this address. */
  challenge: (() => Promise<PasskeyRequest>) | undefined;
}

/** Asks the operator for a second factor; null if cancelled. */
export type CodeAsker = (question: FactorQuestion) => Promise<FreshFactor | null>;

let asker: CodeAsker | undefined;

/**
 * Registers the dialog of the shell; returns a function that removes it. Without one, calls that need a second factor fail
 * with 428.
 */
export function setCodeAsker(newAsker: CodeAsker): () => void {
  asker = newAsker;
  return () => {
    if (asker === newAsker) asker = undefined;
  };
}

export const askFreshFactor: CodeAsker = (question) => (asker ? asker(question) : Promise.resolve(null));

/** The factors that a refusal with code 428 accepts. Without data the operator has codes only. */
export function acceptedFactors(data: unknown): { passkey: boolean; code: boolean } {
  if (typeof data !== 'object' || data === null || !('passkey' in data)) return { passkey: false, code: true };
  return { passkey: data.passkey === true, code: 'code' in data && data.code === true };
}

/** Whether the input is a complete authenticator or recovery code; spaces and hyphens are ignored. */
export const isWholeCode = (input: string): boolean => /^(\d{6}|[0-9A-Za-z]{12})$/.test(input.replaceAll(/[\s-]/g, ''));

/** Whether the refusal demands a signature of what is ordered; a second factor is no substitute. */
export const isSignatureDue = (data: unknown): boolean => typeof data === 'object' && data !== null && 'sign' in data;

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
