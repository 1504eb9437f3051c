import type { PaginationProps } from 'antd';
import { cloneElement, isValidElement } from 'react';

const words: Readonly<Record<string, string>> = {
  prev: '上一页',
  next: '下一页',
  'jump-prev': '向前 5 页',
  'jump-next': '向后 5 页',
};

/** Gives the arrows of a pagination a name and a word on hover, which the kit puts on the element around them. */
export const pageItem: NonNullable<PaginationProps['itemRender']> = (_page, type, item) => {
  const word = words[type];
  return word !== undefined && isValidElement<object>(item)
    ? cloneElement(item, { 'aria-label': word, title: word } as object)
    : item;
};
