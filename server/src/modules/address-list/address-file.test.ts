import { describe, expect, test } from 'vitest';
import { addressKey, checksumOf, parseAddressFile } from './address-file.rules.ts';

test.each([
  ['0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886e0f7030069857d2e4169ee7'],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  [' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  // The case of base58 distinguishes addresses.
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'],
  ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
  ['0x5290', '0x5290'],
])('%s is compared as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe('a file', () => {
  test('has one address a line, with network and reason, and comments', () => {
    const content =
      '\uFEFFaddress,network,reason\r\n# of our own\r\nT-one\r\n\r\n T-two , TRC20 , fraud, twice \r\nT-one';
    expect(parseAddressFile(content)).toEqual([
      { address: 'T-one', key: 'T-one', network: '', reason: '' },
      { address: 'T-two', key: 'T-two', network: 'TRC20', reason: 'fraud, twice' },
    ]);
  });

  test('as the SDN list is read for its addresses, from text and from XML', () => {
    const text =
      '36,"PERSON, A","individual","CYBER2",-0- ,"DOB 1990; Digital Currency Address - XBT 149w62rY42aZBox8fGcmqNsXUzSStKeq8C; ' +
      'alt. Digital Currency Address - ETH 0x7F367cC41522cE07553e823bf3be79A889DEbe1B; Secondary sanctions risk"';
    expect(parseAddressFile(text).map(({ key, reason }) => [key, reason])).toEqual([
      ['149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'SDN XBT'],
      ['0x7f367cc41522ce07553e823bf3be79a889debe1b', 'SDN ETH'],
    ]);
    const xml =
      '<id><idType>Digital Currency Address - TRX</idType>\n  <idNumber>TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE</idNumber></id>';
    expect(parseAddressFile(xml)).toMatchObject([{ address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', reason: 'SDN TRX' }]);
  });

  test.each(['T one', ',TRC20', `T,${'x'.repeat(33)}`, 'x'.repeat(257)])('with the line %s names it', (line) => {
    expect(() => parseAddressFile(`T-first\n${line}`)).toThrow('第 2 行');
  });

  test('has a checksum that other tools compute as well', () => {
    expect(checksumOf('T-one\n')).toBe('3dad114e84ea0b76f95e3ce6123b8581e32292569ed848f4613b592936b93825');
  });
});
