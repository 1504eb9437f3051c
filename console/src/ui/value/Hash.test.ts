import { describe, expect, it } from 'vitest';
import { explorerLink, shortenMiddle } from './Hash.tsx';

describe('Hash', () => {
  it('keeps both ends of a long value', () => {
    expect(shortenMiddle('TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE')).toBe('TQn9Y2kh…w5KcbLSE');
    expect(shortenMiddle('short')).toBe('short');
  });
  it('creates only http and https links', () => {
    expect(explorerLink('https://scan.example/tx/{tx}', 'a/b')).toBe('https://scan.example/tx/a%2Fb');
    expect(explorerLink('javascript:alert("{tx}")', 'x')).toBe(undefined);
    expect(explorerLink('https://scan.example/', 'x')).toBe(undefined);
    expect(explorerLink(undefined, 'x')).toBe(undefined);
  });
});
