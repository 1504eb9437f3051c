import { kyc } from '@hengtai/contract/risk/kyc/calls';
import { type KycSide, kycSides } from '@hengtai/contract/wire/input-values';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { useMemo, useState } from 'react';
import { type ImageState, useImage } from '../../../api/image.ts';
import { ImageViewer } from '../../../ui/page/ImageViewer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { NO_ABILITY, sidesOf } from './actions.ts';

interface Props {
  row: KycRow;
  hasAbility: boolean;
}

/** An image is stored here or on the platform. The console links to images on the platform but never loads them. */
const isStoredHere = (address: string): boolean => address.startsWith(`${API_BASE}${kyc.image.path}?`);
const isLink = (address: string): boolean => /^https?:\/\//i.test(address);

/** The document images: one large, and thumbnails to select it. */
export function DocumentImages({ row, hasAbility }: Props) {
  const sides = sidesOf(row);
  const [selected, setSelected] = useState<KycSide>('front');
  const front = useSideImage(row, 'front');
  const back = useSideImage(row, 'back');
  const holding = useSideImage(row, 'holding');
  const images: Readonly<Record<KycSide, ImageState>> = { front, back, holding };
  const current = sides.includes(selected) ? selected : sides[0];

  if (!hasAbility)
    return <Section title="证件照片">{<p className="ht-value-faint">{NO_ABILITY}，不能查看证件照片</p>}</Section>;
  if (current === undefined)
    return <Section title="证件照片">{<p className="ht-value-faint">没有保存照片</p>}</Section>;
  return (
    <Section title="证件照片" aside="查看会写入审计日志">
      <LargeImage key={`${row.id}${current}`} side={current} address={row[current]} image={images[current]} />
      <div className="ht-kyc-thumbs" role="group" aria-label="选择照片">
        {sides.map((side) => (
          <button
            key={side}
            type="button"
            className="ht-kyc-thumb"
            aria-pressed={side === current}
            onClick={() => setSelected(side)}
          >
            <Thumb address={row[side]} image={images[side]} />
            {kycSides[side]}
          </button>
        ))}
      </div>
    </Section>
  );
}

function useSideImage(row: KycRow, side: KycSide): ImageState {
  const { id } = row;
  const isHere = isStoredHere(row[side]);
  return useImage(
    kyc.image,
    useMemo(() => (isHere ? { id, side } : undefined), [isHere, id, side]),
  );
}

function LargeImage({ side, address, image }: { side: KycSide; address: string; image: ImageState }) {
  if (!isStoredHere(address)) {
    return (
      <div className="ht-kyc-outside">
        <p>这张照片保存在平台，不由衡台提供。</p>
        {isLink(address) ? (
          <a className="ht-navigation-link" href={address} target="_blank" rel="noreferrer noopener">
            在新窗口查看{kycSides[side]}
          </a>
        ) : (
          <code>{address}</code>
        )}
      </div>
    );
  }
  if (image.kind === 'failed') {
    return (
      <div className="ht-kyc-outside" role="alert">
        照片加载失败，请关闭后重新打开这条记录
      </div>
    );
  }
  return (
    <div className="ht-kyc-large">
      <ImageViewer label={kycSides[side]} url={image.kind === 'shown' ? image.url : undefined} />
    </div>
  );
}

function Thumb({ address, image }: { address: string; image: ImageState }) {
  if (!isStoredHere(address)) return <span className="ht-kyc-nothing">在平台</span>;
  if (image.kind === 'failed') return <span className="ht-kyc-nothing">加载失败</span>;
  if (image.kind === 'loading') return <span className="ht-page-skeleton-line ht-kyc-nothing" />;
  return <img src={image.url} alt="" />;
}
