export interface Question {
  title: string;
  content: string;
  /** Text of the button that goes on, which discards or deletes something. */
  verb: string;
  /** Text of the button that changes nothing. */
  back: string;
  onConfirm: () => void;
  onBack?: () => void;
}

type Asker = (question: Question) => void;

let asker: Asker | undefined;

/** Registers the component that shows questions. */
export function setAsker(next: Asker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = undefined;
  };
}

/** Asks before something small is lost, from anywhere. A newer question replaces an open one. */
export const ask: Asker = (question) => asker?.(question);
