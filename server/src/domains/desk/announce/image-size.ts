/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

const PNG_HEAD = 8;
/** Chunks that make up the pixels. The others are metadata, some of them compressed. */
const PNG_PIXELS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** A PNG without metadata chunks, so that decoding it expands nothing but pixels; undefined if it is malformed. */
export function stripPng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, PNG_HEAD)];
  for (let at = PNG_HEAD; at < bytes.length;) {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (PNG_PIXELS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

/** The size that the header of an image declares, so that a huge one is refused before memory is allocated for it. */
export function readImageSize(type: string, bytes: Buffer): ImageSize | undefined {
  try {
    if (type === 'image/png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    return largest(type === 'image/jpeg' ? jpegSizes(bytes) : webpSizes(bytes));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A file may declare several sizes; whichever the decoder takes, it is not above the largest. */
function largest(sizes: readonly ImageSize[]): ImageSize | undefined {
  if (sizes.length === 0) return undefined;
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

const START_OF_SCAN = 0xda;
/** Start-of-frame markers; DHT, JPG and DAC lie between them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegSizes(bytes: Buffer): ImageSize[] {
  const sizes: ImageSize[] = [];
  for (let at = 2; at < bytes.length;) {
    if (bytes.readUInt8(at) !== 0xff) return sizes;
    const marker = bytes.readUInt8(at + 1);
    if (marker === START_OF_SCAN) return sizes;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) sizes.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return sizes;
}

/** Sizes of canvas and frame. None for an animation, which is not accepted. */
function webpSizes(bytes: Buffer): ImageSize[] {
  const sizes: ImageSize[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const body = at + 8;
    if (name === 'VP8X') {
      const isAnimated = (bytes.readUInt8(body) & 0x02) !== 0;
      if (isAnimated) return [];
      sizes.push({ width: bytes.readUIntLE(body + 4, 3) + 1, height: bytes.readUIntLE(body + 7, 3) + 1 });
    }
    if (name === 'VP8 ')
      sizes.push({ width: bytes.readUInt16LE(body + 6) & 0x3fff, height: bytes.readUInt16LE(body + 8) & 0x3fff });
    if (name === 'VP8L') {
      const bits = bytes.readUInt32LE(body + 1);
      sizes.push({ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 });
    }
    const length = bytes.readUInt32LE(at + 4);
    at = body + length + (length % 2);
  }
  return sizes;
}
