import { ICON_MAX } from '@hengtai/contract/wire/input-values';
import { Button } from 'antd';
import { type ChangeEvent, useRef, useState } from 'react';
import { MarketName } from './MarketName.tsx';

interface Props {
  /** `id`, `value` and `onChange` are injected by `Form.Item`. */
  id?: string;
  value?: string;
  onChange?: (icon: string) => void;
  name: string;
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Selects the icon of a market. It is stored as a data URL, so that the console loads no external image. */
export function IconField({ id, value = '', onChange, name }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();

  async function selectFile({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = '';
    if (!file) return;
    const icon = await readDataUrl(file);
    const fileProblem = !TYPES.includes(file.type)
      ? '只能用 PNG、JPEG 或 WebP 图片'
      : icon.length > ICON_MAX
        ? '图片不能超过 18 KB'
        : undefined;
    setProblem(fileProblem);
    if (!fileProblem) onChange?.(icon);
  }

  return (
    <div className="ht-market-icon-field">
      <MarketName row={{ marketName: name, icon: value }} />
      <input
        ref={input}
        id={id}
        type="file"
        accept={TYPES.join(',')}
        className="ht-market-file"
        onChange={(event) => void selectFile(event)}
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
        <span className="ht-value-warn" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error(`Cannot read the image file ${file.name}`)),
    );
    reader.readAsDataURL(file);
  });
