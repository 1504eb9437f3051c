import { ICON_MAX } from '@hengtai/contract/market';
import { Button } from 'antd';
import { type ChangeEvent, useRef, useState } from 'react';
import { MarketName } from './MarketName.tsx';

interface Props {
  /** Both given by the form. */
  id?: string;
  value?: string;
  onChange?: (icon: string) => void;
  name: string;
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** A small picture that is kept with the market itself: none is ever fetched from elsewhere. */
export function IconField({ id, value = '', onChange, name }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();

  async function take({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = '';
    if (!file) return;
    const icon = await addressOf(file);
    const wrong = !TYPES.includes(file.type)
      ? '只能用 PNG、JPEG 或 WebP 图片'
      : icon.length > ICON_MAX
        ? '图片不能超过 18 KB'
        : undefined;
    setProblem(wrong);
    if (!wrong) onChange?.(icon);
  }

  return (
    <div className="mk-icon-field">
      <MarketName row={{ marketName: name, icon: value }} />
      <input
        ref={input}
        id={id}
        type="file"
        accept={TYPES.join(',')}
        className="mk-file"
        onChange={(event) => void take(event)}
      />
      <Button size="small" onClick={() => input.current?.click()}>
        选择图片
      </Button>
      {value !== '' && (
        <Button size="small" onClick={() => onChange?.('')}>
          移除
        </Button>
      )}
      {problem && (
        <span className="ht-warn-text" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

const addressOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const drawer = new FileReader();
    drawer.addEventListener('load', () => resolve(typeof drawer.result === 'string' ? drawer.result : ''));
    drawer.addEventListener('error', () => reject(drawer.error ?? new Error('unreadable')));
    drawer.readAsDataURL(file);
  });
