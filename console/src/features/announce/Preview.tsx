import { Segmented } from 'antd';
import { useState } from 'react';
import { RichView } from '../../ui/RichView.tsx';
import { Time } from '../../ui/Time.tsx';

interface Props {
  title: string;
  html: string;
  lang: string;
  /** 0 everywhere, 1 on the web, 2 in the app. */
  platform: number;
  at?: number;
}

const PLACES = [
  { value: 1, label: '网页' },
  { value: 2, label: 'APP' },
];

/** An announcement as the web page and the app show it. */
export function Preview({ title, html, lang, platform, at }: Props) {
  const [selected, setSelected] = useState(1);
  const place = platform === 0 ? selected : platform;
  return (
    <section className="an-preview" aria-label="预览">
      <header>
        <b>预览</b>
        <Segmented
          size="small"
          aria-label="预览的展示端"
          value={place}
          options={PLACES.map((one) => ({ ...one, disabled: platform !== 0 && platform !== one.value }))}
          onChange={setSelected}
        />
      </header>
      <article className="an-frame" data-place={place === 2 ? 'app' : 'web'} lang={lang}>
        <h4>{title || '（未填写标题）'}</h4>
        {at !== undefined && (
          <p className="ht-faint">
            <Time value={at} />
          </p>
        )}
        {html === '' ? <p className="ht-faint">（未填写内容）</p> : <RichView html={html} />}
      </article>
    </section>
  );
}
