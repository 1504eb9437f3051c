/** Pictures that a browser draws and that hold no program, by how their bytes begin. */
const KINDS: readonly { type: string; fits: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', fits: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')) },
  { type: 'image/jpeg', fits: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) },
  {
    type: 'image/webp',
    fits: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
];

export interface InlineImage {
  type: string;
  bytes: Buffer;
}

export const isInline = (address: string): boolean => address.startsWith('data:');

/** The bytes of a `data:` address with the type that they are of, whatever the address says; undefined for any other. */
export function parseInlineImage(address: string): InlineImage | undefined {
  if (!isInline(address)) return undefined;
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const kind = KINDS.find(({ fits }) => fits(bytes));
  return kind && { type: kind.type, bytes };
}
