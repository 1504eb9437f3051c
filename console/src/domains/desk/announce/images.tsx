import { announce } from '@hengtai/contract/desk/announce/calls';
import { ANNOUNCE_IMAGE_MAX } from '@hengtai/contract/wire/input-values';
import { useMemo } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { loadImage, useImage } from '../../../api/image.ts';
import type { RichImage, RichImages } from '../../../ui/rich/rich-tree.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** An image of an announcement, in its place while it loads. */
export function AnnounceImage({ image: { key, alt, width, height } }: { image: RichImage }) {
  const input = useMemo(() => ({ key }), [key]);
  const state = useImage(announce.image, input);
  if (state.kind === 'failed')
    return <span className="ht-value-faint">（图片加载失败：{alt || key.slice(0, 6)}）</span>;
  return (
    <img
      className="ht-rich-image"
      alt={alt}
      {...(width !== undefined && { width })}
      {...(height !== undefined && { height })}
      {...(state.kind === 'shown' && { src: state.url })}
    />
  );
}

/** Stores and loads the images of the editor. */
export function useAnnounceImages(): RichImages {
  const { submit } = useAction(announce.imageAdd);
  return useMemo(
    () => ({
      load: (key, signal) => loadImage(announce.image, { key }, signal),
      upload: async (file) => {
        if (!TYPES.includes(file.type)) return { problem: '只能上传 PNG、JPEG 或 WebP 图片' };
        if (file.size > ANNOUNCE_IMAGE_MAX) return { problem: '图片不能超过 4 MB' };
        const data = await readDataUrl(file);
        let image: RichImage | undefined;
        const error = await settle(async () => {
          const outcome = await submit({ image: data }, newKey());
          if (outcome.kind !== 'done') return;
          const { key, width, height } = outcome.data;
          image = { key, width, height, alt: file.name.replace(/\.[^.]*$/, '').slice(0, 100) };
        });
        return image ? { image } : { problem: error?.msg ?? '图片上传失败' };
      },
    }),
    [submit],
  );
}

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`Cannot read the file ${file.name}`)));
    reader.readAsDataURL(file);
  });
