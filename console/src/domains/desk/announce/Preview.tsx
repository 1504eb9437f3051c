import { announcePalette } from '@hengtai/contract/desk/announce/markup';
import { Button, Segmented } from 'antd';
import { type CSSProperties, useState } from 'react';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { RichView } from '../../../ui/rich/RichView.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { AnnounceImage } from './images.tsx';

interface Text {
  title: string;
  html: string;
  lang: string;
  at?: number;
}

interface Props extends Text {
  /** 0 everywhere, 1 on the web, 2 in the app. */
  platform: number;
}

const PLACES = [
  { value: 1, label: '网页' },
  { value: 2, label: 'APP' },
];
type Theme = keyof typeof announcePalette;
const themes: Readonly<Record<Theme, string>> = { light: '浅色', dark: '深色' };

/** An announcement as the web page and the app show it, in both themes. */
export function Preview({ platform, ...text }: Props) {
  const [selected, setSelected] = useState(1);
  const [theme, setTheme] = useState<Theme>('light');
  const [isLarge, setLarge] = useState(false);
  const place = platform === 0 ? selected : platform;
  return (
    <section className="ht-announce-preview" aria-label="预览">
      <header>
        <b>预览</b>
        <span className="ht-announce-preview-tools">
          <Segmented
            size="small"
            aria-label="预览的展示端"
            value={place}
            options={PLACES.map((one) => ({ ...one, disabled: platform !== 0 && platform !== one.value }))}
            onChange={setSelected}
          />
          <Segmented<Theme>
            size="small"
            aria-label="预览的主题"
            value={theme}
            options={Object.entries(themes).map(([value, label]) => ({ value: value as Theme, label }))}
            onChange={setTheme}
          />
          <Button size="small" onClick={() => setLarge(true)}>
            实际宽度
          </Button>
        </span>
      </header>
      <Frame {...text} place={place} theme={theme} />
      {isLarge && (
        <PageModal
          title={`预览：${place === 2 ? 'APP' : '网页'}的实际宽度`}
          width={place === 2 ? 860 : 820}
          footer={null}
          onCancel={() => setLarge(false)}
        >
          <div className="ht-announce-both">
            <Frame {...text} place={place} theme="light" />
            <Frame {...text} place={place} theme="dark" />
          </div>
        </PageModal>
      )}
    </section>
  );
}

function Frame({ title, html, lang, at, place, theme }: Text & { place: number; theme: Theme }) {
  return (
    <article
      className="ht-announce-frame"
      data-place={place === 2 ? 'app' : 'web'}
      data-scheme={theme}
      style={paletteStyle(theme)}
      lang={lang}
    >
      <h4>{title || '（未填写标题）'}</h4>
      {at !== undefined && (
        <p className="ht-value-faint">
          <Time value={at} />
        </p>
      )}
      {html === '' ? <p className="ht-value-faint">（未填写内容）</p> : <RichView html={html} Image={AnnounceImage} />}
    </article>
  );
}

/** The colours of a platform: those of the console must not show through. */
function paletteStyle(theme: Theme): CSSProperties {
  const { ground, text, faint, link, ...colors } = announcePalette[theme];
  return {
    '--ht-surface': ground,
    '--ht-text': text,
    '--ht-faint': faint,
    '--ht-accent': link,
    ...Object.fromEntries(Object.entries(colors).map(([name, color]) => [`--rich-${name}`, color])),
  } as CSSProperties;
}
