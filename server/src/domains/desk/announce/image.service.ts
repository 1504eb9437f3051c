import { randomBytes } from 'node:crypto';
import { announce as calls } from '@hengtai/contract/desk/announce/calls';
import { imageSrcOf } from '@hengtai/contract/desk/announce/markup';
import type { AnnounceImage, AnnounceImageAdd, AnnounceImageInput } from '@hengtai/contract/desk/announce/schema';
import { ANNOUNCE_IMAGE_MAX } from '@hengtai/contract/wire/input-values';
import { refusals } from '@hengtai/contract/wire/refusals';
import { defineAction } from '../../../actions/action.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { refuse, refuseField } from '../../../app/refuse.ts';
import { parseInlineImage } from '../../risk/kyc/image.rules.ts';
import { encodeImage } from './image-encoder.rules.ts';
import { findImage, insertImage } from './image.store.ts';

/** @throws Refused 404 for an unknown image */
export async function announceImage(ctx: Ctx, { key }: AnnounceImageInput): Promise<{ type: string; bytes: Buffer }> {
  const image = await findImage(ctx.db, key);
  if (!image) throw refuse(refusals.notFound);
  return image;
}

/** The answer to the platform, which keeps the image: it never changes. */
export async function platformImage(app: App, { key }: AnnounceImageInput): Promise<object> {
  const image = await findImage(app.system, key);
  if (!image) throw refuse(refusals.notFound);
  const { type, width, height, bytes } = image;
  return { key, type, width, height, data: bytes.toString('base64') };
}

/** Stores an uploaded image, encoded again. */
export const announceImageAdd = defineAction<AnnounceImageAdd, AnnounceImage>({
  call: calls.imageAdd,
  execute: async (ctx, { image }) => {
    const parsed = parseInlineImage(image);
    if (!parsed) throw refuseField('image', '只能是 PNG、JPEG 或 WebP');
    if (parsed.bytes.length > ANNOUNCE_IMAGE_MAX) throw refuseField('image', '不能超过 4 MB');
    const encoded = await encodeImage(parsed);
    if (encoded === 'tooLarge')
      throw refuseField('image', '的尺寸过大：边长不能超过 8000 像素，总像素不能超过 2400 万');
    if (!encoded) throw refuseField('image', '无法读取：文件已损坏，或是动图');
    const key = randomBytes(16).toString('hex');
    await insertImage(ctx, key, encoded);
    const { width, height, bytes } = encoded;
    return {
      data: { key, src: imageSrcOf(key), width, height, size: bytes.length },
      after: { image: key, width, height, bytes: bytes.length },
    };
  },
});
