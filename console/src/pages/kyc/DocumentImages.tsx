import { type KycSide, kyc, kycSides } from '@hengtai/contract/kyc';
import { API_BASE } from '@hengtai/contract/endpoint';
import type { KycRow } from '@hengtai/contract/kyc.schema';
import { useMemo, useState } from 'react';
import { type ImageState, useImage } from '../../api/image.ts';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { Section } from '../../ui/Section.tsx';
import { NO_ABILITY, sidesOf } from './actions.ts';

interface Props {
  row: KycRow;
  able: boolean;
}

/** A picture lies here, or at the platform; that one is a link which the operator follows or not, or just a name. */
const isHere = (address: string): boolean => address.startsWith(`${API_BASE}${kyc.image.path}?`);
const isLink = (address: string): boolean => /^https?:\/\//i.test(address);

/** The photographs: one large, all of them beneath it to choose from. */
export function DocumentImages({ row, able }: Props) {
  const sides = sidesOf(row);
  const [chosen, setChosen] = useState<KycSide>('front');
  const front = useSide(row, 'front');
  const back = useSide(row, 'back');
  const holding = useSide(row, 'holding');
  const found: Readonly<Record<KycSide, ImageState>> = { front, back, holding };
  const shown = sides.includes(chosen) ? chosen : sides[0];

  if (!able) return <Section title="证件照片">{<p className="ht-faint">{NO_ABILITY}，不能查看证件照片</p>}</Section>;
  if (shown === undefined) return <Section title="证件照片">{<p className="ht-faint">没有保存照片</p>}</Section>;
  return (
    <Section title="证件照片" aside="查看会写入审计日志">
      <Stage key={`${row.id}${shown}`} side={shown} address={row[shown]} loaded={found[shown]} />
      <div className="au-thumbs" role="group" aria-label="选择照片">
        {sides.map((side) => (
          <button
            key={side}
            type="button"
            className="au-thumb"
            aria-pressed={side === shown}
            onClick={() => setChosen(side)}
          >
            <Thumb address={row[side]} loaded={found[side]} />
            {kycSides[side]}
          </button>
        ))}
      </div>
    </Section>
  );
}

function useSide(row: KycRow, side: KycSide): ImageState {
  const { id } = row;
  const here = isHere(row[side]);
  return useImage(
    kyc.image,
    useMemo(() => (here ? { id, side } : undefined), [here, id, side]),
  );
}

function Stage({ side, address, loaded }: { side: KycSide; address: string; loaded: ImageState }) {
  if (!isHere(address)) {
    return (
      <div className="au-outside">
        <p>这张照片保存在平台，不由衡台提供。</p>
        {isLink(address) ? (
          <a className="ht-link" href={address} target="_blank" rel="noreferrer noopener">
            在新窗口查看{kycSides[side]}
          </a>
        ) : (
          <code>{address}</code>
        )}
      </div>
    );
  }
  if (loaded.kind === 'failed') {
    return (
      <div className="au-outside" role="alert">
        照片加载失败，请关闭后重新打开这条记录
      </div>
    );
  }
  return <ImageViewer label={kycSides[side]} url={loaded.kind === 'shown' ? loaded.url : undefined} />;
}

function Thumb({ address, loaded }: { address: string; loaded: ImageState }) {
  if (!isHere(address)) return <span className="au-nothing">在平台</span>;
  if (loaded.kind === 'failed') return <span className="au-nothing">加载失败</span>;
  if (loaded.kind === 'loading') return <span className="ht-skeleton-line au-nothing" />;
  return <img src={loaded.url} alt="" />;
}
