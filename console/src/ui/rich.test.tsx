// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { RichView } from './RichView.tsx';
import { makeEditor } from './rich-editor-core.ts';
import { $htmlOf } from './rich-nodes.ts';
import { isLinkable, parseRich, textOf } from './rich-tree.ts';

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

it('only web and mail addresses are linkable', () => {
  expect(['https://a.example', 'http://a', 'mailto:a@b.c'].every(isLinkable)).toBe(true);
  expect(['javascript:alert(1)', 'data:text/html,x', '//a.example', 'a.example', ''].some(isLinkable)).toBe(false);
});

it('textOf returns the plain text', () => expect(textOf(parseRich('<p>a<br>b</p> <p>c</p>'))).toBe('ab c'));
