import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { support } from '@hengtai/contract/desk/support/calls';
import { useMemo, useState } from 'react';
import { useImage } from '../../../api/image.ts';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { ImageViewer } from '../../../ui/page/ImageViewer.tsx';

interface Props {
  id: number;
  image: string;
}

/** The image of a message. An image on the platform is only linked and never loaded. */
export function MessageImage({ id, image }: Props) {
  if (image.startsWith(`${API_BASE}${support.image.path}?`)) return <StoredImage id={id} />;
  if (!/^https?:\/\//i.test(image)) return <p className="ht-support-text">{image}</p>;
  return (
    <a
      className="ht-navigation-link ht-support-outside"
      href={image}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      平台上的图片↗ <bdi>{image}</bdi>
    </a>
  );
}

function StoredImage({ id }: { id: number }) {
  const input = useMemo(() => ({ id }), [id]);
  const loaded = useImage(support.image, input);
  const [isLarge, setLarge] = useState(false);
  if (loaded.kind === 'failed') return <p className="ht-value-faint">图片无法显示</p>;
  if (loaded.kind === 'loading')
    return <span className="ht-page-skeleton-line ht-support-picture" role="status" aria-label="图片加载中" />;
  return (
    <>
      <button
        type="button"
        className="ht-support-picture"
        aria-label="放大图片"
        title="放大图片"
        onClick={() => setLarge(true)}
      >
        <img src={loaded.url} alt="用户发来的图片" />
      </button>
      {isLarge && (
        <PageModal title="图片" width={880} footer={null} mask={{ closable: true }} onCancel={() => setLarge(false)}>
          <ImageViewer label="图片" url={loaded.url} />
        </PageModal>
      )}
    </>
  );
}
