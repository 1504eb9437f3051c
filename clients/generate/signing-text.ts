const HEAD = `// Copied from contract/src/risk/signing/text.ts. \`npx vitest run clients/generate -u\` writes it again.
`;
const IMPORT = "import { stableJson } from '../../wire/stable-json.ts';\n";

/** The contract's code for signed texts as one file without imports, so that the client depends on nothing. */
export function toSigningText(signingText: string, stableJson: string): string {
  const [serializer] = /\/\*\* JSON with sorted fields[\s\S]*?\n}\n/.exec(stableJson) ?? [];
  if (serializer === undefined || !signingText.includes(IMPORT)) throw new Error('The files of the contract changed.');
  return HEAD + signingText.replace(IMPORT, () => `\n${serializer}`);
}
