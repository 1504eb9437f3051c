/** Accepted image formats by their magic bytes. SVG is not accepted, because it can contain scripts. */
const FORMATS: readonly { type: string; matches: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', matches: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')) },
  { type: 'image/jpeg', matches: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) },
  {
    type: 'image/webp',
    matches: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
];

export interface InlineImage {
  type: string;
  bytes: Buffer;
}

export const isDataUrl = (address: string): boolean => address.startsWith('data:');

/**
 * Decodes an image in a `data:` URL. The type comes from the bytes, not from the URL; undefined if they are no accepted
 * image.
 */
export function parseInlineImage(address: string): InlineImage | undefined {
  if (!isDataUrl(address)) return undefined;
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const format = FORMATS.find(({ matches }) => matches(bytes));
  return format && { type: format.type, bytes };
}
