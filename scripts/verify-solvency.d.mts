import type { LiabilityProof, Solvency } from '@hengtai/contract/desk/report/schema';

/** Verifies statements, and with them leaves, a user's proof and files. Throws with the reason if anything is wrong. */
export function verify(input: {
  statement: unknown;
  key: string;
  leaves?: Iterable<string> | undefined;
  proof?: unknown;
  files?: readonly (string | Uint8Array)[] | undefined;
}): Pick<Solvency['liabilities'], 'id' | 'at' | 'entry' | 'users'> & {
  coins: {
    marketName: string;
    owed: string;
    /** Null: not connected. */
    held: string | null;
    /** Percent with two digits; null without owed or held. */
    ratio: string | null;
    own: LiabilityProof['balances'][number]['amount'] | null;
  }[];
};
