import * as fc from 'fast-check';
import { sized } from '../../testing/level.ts';

/** What one person changes while four-eyes are locked, and what the product lets it change alone. */
interface OnePerson<S, M> {
  start: fc.Arbitrary<S>;
  move: fc.Arbitrary<M>;
  /** The state after a move; undefined if it is impossible. */
  apply: (state: S, move: M) => S | undefined;
  /** The product's answer: whether the move needs a second person. */
  loosens: (before: S, after: S, move: M) => boolean;
  /** Names what is looser than before, by rules that are independent of the product's. */
  gains: (before: S, after: S) => string[];
}

const SEQUENCES = sized({ short: 1_000, full: 10_000 });

/** Plays random sequences of moves that need nobody, and compares each end with its start. */
export function playAlone<S, M>({
  start,
  move,
  apply,
  loosens,
  gains,
}: OnePerson<S, M>): { gained: string | undefined; isProof: boolean } {
  let moves = 0;
  const isHarmless = (first: S, tried: readonly M[]): void => {
    let state = first;
    for (const one of tried) {
      const next = apply(state, one);
      if (next === undefined || loosens(state, next, one)) continue;
      state = next;
      moves += 1;
    }
    const found = gains(first, state);
    if (found.length > 0)
      throw new Error(`One person gained ${found.join(', ')} and ended at ${JSON.stringify(state)}`);
  };
  const sequences = fc.property(start, fc.array(move, { maxLength: 12, size: 'max' }), isHarmless);
  const details = fc.check(sequences, { numRuns: SEQUENCES });
  // The sequences prove nothing if every move is refused.
  return { gained: details.failed ? fc.defaultReportMessage(details) : undefined, isProof: moves > SEQUENCES };
}

/** What `playAlone` answers when one person gains nothing. */
export const NO_GAIN = { gained: undefined, isProof: true };

/** A move that sets one field of a record to a value of that field. */
export const fieldChange = <R extends object>(fields: { [K in keyof R]: readonly R[K][] }): fc.Arbitrary<Partial<R>> =>
  fc.oneof(
    ...(Object.keys(fields) as (keyof R)[]).map((field) =>
      // A computed key loses the connection between field and value.
      fc.constantFrom(...fields[field]).map((value) => ({ [field]: value }) as unknown as Partial<R>),
    ),
  );

/** Records that have a value of each field. */
export const recordOf = <R extends object>(fields: { [K in keyof R]: readonly R[K][] }): fc.Arbitrary<R> =>
  fc.record(
    Object.fromEntries((Object.keys(fields) as (keyof R)[]).map((field) => [field, fc.constantFrom(...fields[field])])),
  ) as unknown as fc.Arbitrary<R>;
