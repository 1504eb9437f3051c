import { SUPPORT_IMAGE_BYTES_MAX } from '@hengtai/contract/wire/input-values';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Reads an image file as a data URL, or returns the reason why it cannot be sent. */
export async function readImageFile(file: File): Promise<{ image: string } | { problem: string }> {
  if (!TYPES.includes(file.type)) return { problem: '只能发送 PNG、JPEG 或 WebP 图片' };
  if (file.size > SUPPORT_IMAGE_BYTES_MAX) return { problem: '图片不能超过 512 KB' };
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? { image: reader.result } : { problem: '图片读取失败' }),
    );
    reader.addEventListener('error', () => resolve({ problem: '图片读取失败' }));
    reader.readAsDataURL(file);
  });
}
