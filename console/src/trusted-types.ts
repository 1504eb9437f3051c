/**
 * The only Trusted Types policy (docs/decisions/020-trusted-types.md). The UI kit writes style sheets through innerHTML,
 * which is text without a single "<"; everything that could be markup is refused, and scripts are never made from
 * strings.
 */
interface Policy {
  createHTML: (text: string) => string;
}

interface Factory {
  createPolicy: (name: string, policy: Policy) => unknown;
}

export function createHTML(text: string): string {
  if (text.includes('<')) throw new TypeError('markup is never made from strings');
  return text;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
factory?.createPolicy('default', { createHTML });
