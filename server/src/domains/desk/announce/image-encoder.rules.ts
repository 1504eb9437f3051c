import { ResizeFit, Transformer } from '@napi-rs/image';
import { type InlineImage } from '../../risk/kyc/image.rules.ts';
import { type ImageSize, readImageSize, stripPng } from './image-size.ts';

/** Maximum width and height of an uploaded image, and its maximum pixels, which a decoder expands to four bytes each. */
const SIDE_MAX = 8_000;
const PIXELS_MAX = 24_000_000;
/** Width and height that a larger image is reduced to. */
const STORED_SIDE_MAX = 1_600;
const QUALITY = 82;

export interface EncodedImage extends InlineImage, ImageSize {}

/** One image is decoded at a time, so that uploads cannot add up to more memory than the largest one takes. */
let lastEncoding: Promise<unknown> = Promise.resolve();

/**
 * Encodes an image again: nothing but its pixels remains, turned upright and not above the stored size.
 *
 * @returns undefined if it cannot be decoded; 'tooLarge' if it has too many pixels, which is found without decoding it
 */
export async function encodeImage({ type, bytes }: InlineImage): Promise<EncodedImage | 'tooLarge' | undefined> {
  const size = readImageSize(type, bytes);
  const pixels = type === 'image/png' ? stripPng(bytes) : bytes;
  if (!size || !pixels || size.width < 1 || size.height < 1) return undefined;
  if (Math.max(size.width, size.height) > SIDE_MAX || size.width * size.height > PIXELS_MAX) return 'tooLarge';
  const encoding = lastEncoding.then(() => toWebp(pixels, size));
  lastEncoding = encoding.catch(() => undefined);
  const encoded = await encoding;
  const stored = encoded && readImageSize('image/webp', encoded);
  return encoded && stored && { type: 'image/webp', bytes: encoded, ...stored };
}

async function toWebp(bytes: Buffer, { width, height }: ImageSize): Promise<Buffer | undefined> {
  try {
    const image = new Transformer(bytes).rotate();
    if (Math.max(width, height) > STORED_SIDE_MAX)
      image.resize({ width: STORED_SIDE_MAX, height: STORED_SIDE_MAX, fit: ResizeFit.Inside });
    return await image.webp(QUALITY);
  } catch {
    // The decoder reports a malformed image only by its message.
    return undefined;
  }
}

/** Encodes pixels of four bytes (red, green, blue, alpha) each. */
export async function encodePixels(pixels: Uint8Array, { width, height }: ImageSize): Promise<EncodedImage> {
  const bytes = await Transformer.fromRgbaPixels(pixels, width, height).webp(QUALITY);
  return { type: 'image/webp', bytes, width, height };
}
