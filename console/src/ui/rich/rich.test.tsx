// @vitest-environment happy-dom
import { announcePalette } from '@hengtai/contract/desk/announce/markup';
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { RichView } from './RichView.tsx';
import { makeEditor } from './rich-editor-core.ts';
import { $htmlOf } from './rich-nodes.ts';
import { isLinkable, parseRich, textOf } from './rich-tree.ts';

/** Contrast of two colours as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Reads HTML into the editor and serializes it again. */
const roundTrip = (html: string): string => makeEditor(html).read($htmlOf);

describe('the editor', () => {
  it.each([
    '<p>今晚维护</p>',
    '<h2>标题</h2><p>正文</p><h3>小标题</h3>',
    '<p><strong>粗</strong><em>斜</em><u>下</u><s>删</s></p>',
    '<p>一<br>二</p>',
    '<ul><li>甲</li><li>乙</li></ul><ol><li>一</li></ol>',
    '<blockquote>引用</blockquote>',
    '<p>见<a href="https://a.example/?b=1&amp;c=2">这里</a>。</p>',
    '<p>1 &lt; 2 &amp; 3</p>',
    '<h2 data-align="center">标题</h2><p data-align="right">右</p>',
    '<p>甲<strong><span data-color="red">乙</span></strong></p>',
    `<p data-align="center"><img src="/platform/v1/announcements/image?key=${'a'.repeat(32)}" alt="图" width="40" height="20"></p>`,
    '',
  ])('keeps %s', (html) => expect(roundTrip(html)).toBe(html));

  it.each([
    ['<b>粗</b>', '<p><strong>粗</strong></p>'],
    ['文字<p>段落</p>文字', '<p>文字</p><p>段落</p><p>文字</p>'],
    ['<div><div>内</div></div>', '<p>内</p>'],
    ['<p onclick="x()" style="color:red">a<img src=x onerror=alert(1)></p>', '<p>a</p>'],
    ['<script>alert(1)</script><style>p{}</style><p>a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<p>a</p>'],
    ['<p><strong>a<em>b</em></strong></p>', '<p><strong>a</strong><em><strong>b</strong></em></p>'],
    ['<p data-align="justify">a<span data-color="white">b</span></p>', '<p>ab</p>'],
    ['<p>a<img src="https://a.example/b.png"></p>', '<p>a</p>'],
    [
      '<span data-color="blue">a<b>b</b></span>',
      '<p><span data-color="blue">a</span><strong><span data-color="blue">b</span></strong></p>',
    ],
    ['<h1>大</h1><h5>小</h5>', '<h2>大</h2><h3>小</h3>'],
    ['<table><tr><td>格</td></tr></table>', '<p>格</p>'],
    ['<ul><li><p>甲</p></li></ul>', '<ul><li>甲</li></ul>'],
  ])('normalizes %s to %s', (html, normalized) => {
    expect(roundTrip(html)).toBe(normalized);
    expect(roundTrip(normalized)).toBe(normalized);
  });
});

it('the view renders only allowed elements and links', () => {
  const { container } = render(
    <RichView html='<p>a<img src=x onerror=alert(1)><a href="javascript:x">b</a><a href="https://c.example">c</a></p><script>d</script>' />,
  );
  expect(container.querySelectorAll('img, script')).toHaveLength(0);
  expect(container.textContent).toBe('abc');
  const links = [...container.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.rel]);
  expect(links).toEqual([['https://c.example', 'noopener noreferrer']]);
});

it('the view marks alignment and colour and renders images by the given component', () => {
  const html = `<p data-align="right"><span data-color="red">a</span><img src="/platform/v1/announcements/image?key=${'b'.repeat(32)}" alt="图"></p>`;
  const { container } = render(<RichView html={html} Image={({ image }) => <b>{image.key}</b>} />);
  expect(container.querySelector('[data-align="right"] [data-color="red"]')?.textContent).toBe('a');
  expect(container.querySelector('b')?.textContent).toBe('b'.repeat(32));
  expect(render(<RichView html={html} />).container.textContent).toBe('a图');
});

it('the colours of text pass contrast on the ground of their theme', () => {
  const ratios = Object.values(announcePalette).flatMap(({ ground, ...colors }) =>
    Object.values(colors).map((color) => contrast(color, ground)),
  );
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
});

it('only web and mail addresses are linkable', () => {
  expect(['https://a.example', 'http://a', 'mailto:a@b.c'].every(isLinkable)).toBe(true);
  expect(['javascript:alert(1)', 'data:text/html,x', '//a.example', 'a.example', ''].some(isLinkable)).toBe(false);
});

it('textOf returns the plain text', () => expect(textOf(parseRich('<p>a<br>b</p> <p>c</p>'))).toBe('ab c'));
