import { ledgerEntry } from '@hengtai/contract/funds/ledger-entry/calls';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { describe, expect, it } from 'vitest';
import { toCallInput, isFiltered, readAddress, writeAddress } from './list-address.ts';

const spec = withdraw.list.list;
const read = (text: string) => readAddress(spec, new URLSearchParams(text));
const write = (text: string, rest = '') => writeAddress(spec, read(text), new URLSearchParams(rest)).toString();

describe('the address of a list', () => {
  it('names only the page size of the defaults', () => {
    expect(write('')).toBe('size=10');
    expect(write('page=1&state=-1&account=')).toBe('size=10');
    expect(readAddress(spec, new URLSearchParams(), 13).size).toBe(13);
  });
  it('is the same after reading and writing it', () => {
    const text = 'account=anna*&state=0&risk=over_limit&from=1&to=2&sort=-amount&page=3&size=50';
    expect(write(text)).toBe(text);
    expect(toCallInput(read(text))).toEqual({
      account: 'anna*',
      state: 0,
      risk: 'over_limit',
      from: 1,
      to: 2,
      sort: '-amount',
      page: 3,
      size: 50,
    });
  });
  it('parses numbers only for number filters', () => {
    expect(read('id=7&no=7').filters).toEqual({ id: 7, no: '7' });
  });
  it('keeps dates as they are, so that the server refuses those that do not exist', () => {
    for (const day of ['2024-02-29', '2026-02-31']) expect(read(`paidDay=${day}`).filters).toEqual({ paidDay: day });
  });
  it('drops invalid values', () => {
    const state = read('state=77&id=x&id=1e3&page=0&size=5000&sort=password&from=-5&risk=nonsense&marketId=1.5');
    expect(state).toEqual({ filters: {}, page: 1, size: 10, sort: undefined, from: undefined, to: undefined });
  });
  it('names several states and a range of amounts', () => {
    const text = 'states=1%2C2%2C8&amountFrom=0&amountTo=10.50&size=10';
    expect(write(text)).toBe(text);
    expect(toCallInput(read(text))).toMatchObject({ states: '1,2,8', amountFrom: '0', amountTo: '10.50' });
    expect(read('state=1&states=1,2').filters).toEqual({ state: 1, states: '1,2' });
    for (const wrong of [
      'states=1,99',
      'states=,',
      'states=-1',
      'amountFrom=1e3',
      'amountTo=-1',
      'amountFrom=2&amountTo=1.9',
    ])
      expect(read(wrong).filters).toEqual({});
    // Longer than all states.
    expect(read(`states=${Array.from({ length: 11 }, () => 1).join(',')}`).filters).toEqual({});
  });
  it('takes amounts below zero where they are signed', () => {
    const filters = (query: string) => readAddress(ledgerEntry.record.list, new URLSearchParams(query)).filters;
    expect(filters('amountFrom=-5&amountTo=-1')).toEqual({ amountFrom: '-5', amountTo: '-1' });
    expect(filters('amountFrom=-1&amountTo=-5')).toEqual({});
  });
  it('names several values of a filter that takes them', () => {
    const filters = (query: string) => readAddress(ledgerEntry.record.list, new URLSearchParams(query)).filters;
    expect(filters('types=1,7&type=1')).toEqual({ types: '1,7', type: 1 });
    expect(filters('types=1,99')).toEqual({});
  });
  it('keeps parameters that belong to the page', () => {
    expect(write('state=0', 'open=5&page=9&state=3&queue=1')).toBe('state=0&size=10&open=5&queue=1');
  });
  it('is filtered by filters and dates, not by page and order', () => {
    expect(isFiltered(read('page=2&sort=id'))).toBe(false);
    expect(isFiltered(read('to=5'))).toBe(true);
    expect(isFiltered(read('state=0'))).toBe(true);
  });
});
