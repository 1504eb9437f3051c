import { report } from '@hengtai/contract/desk/report/calls';
import type { ProofLeaves } from '@hengtai/contract/desk/report/schema';
import { send } from '../../../api/client.ts';
import { saveFile } from '../../../api/file-answer.ts';

const asFile = (name: string, parts: string[]) =>
  saveFile({ name, blob: new Blob(parts, { type: 'application/json' }) });

/** Downloads a value as a file for the programs that verify proofs. */
export const saveJson = (name: string, value: unknown): void => asFile(name, [JSON.stringify(value, null, 2)]);

/** Downloads the signed statements of a proof. */
export async function downloadSolvency(id: number): Promise<void> {
  saveJson(`solvency-${id}.json`, (await send(report.solvency, { id })).data);
}

/** Downloads a line for each user, in the order of the tree: the hash that stands for the user, and the amounts. */
export async function downloadLeaves(id: number): Promise<void> {
  const leaves: ProofLeaves['leaves'] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: ProofLeaves = (await send(report.leaves, { id, after })).data;
    leaves.push(...page.leaves);
    after = page.next;
  }
  leaves.sort((a, b) => a.index - b.index);
  const lines = leaves.map(({ owner, amounts }) => `${JSON.stringify([owner, ...amounts])}\n`);
  asFile(`solvency-${id}-leaves.jsonl`, lines);
}
