export interface Mutant {
  area: string;
  name: string;
  path: string;
  fault: string;
}
export interface Verdict extends Mutant {
  outcome: 'killed' | 'survived' | 'does not apply';
  seconds: number;
  killer: string;
}
export function listMutants(folder: string): Mutant[];
export function sample<T>(items: readonly T[], size: number, seed: number): T[];
export function judge(
  checkout: string,
  next: () => Mutant | undefined,
  runTests: (mutant: Mutant) => Promise<{ passed: boolean; killer: string }>,
  report: (verdict: Verdict) => void,
): Promise<void>;
