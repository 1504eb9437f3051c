/** Asks the operator for a one-time code; null when the question was dismissed. `fault` says why it is asked again. */
export type CodeAsker = (fault: string | null) => Promise<string | null>;

let asker: CodeAsker | undefined;

/** The shell gives the dialog. Without one, a call that needs a code fails with 428. */
export function setCodeAsker(next: CodeAsker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = undefined;
  };
}

export const askFreshCode: CodeAsker = (fault) => (asker ? asker(fault) : Promise.resolve(null));
