/**
 * The only Trusted Types policy (docs/decisions/021-console.md). The UI kit writes style sheets through innerHTML,
 * which is text without a single "<"; everything that could be markup is refused, and scripts are never made from
 * strings. A worker is started from a file of the console's own and from nothing else.
 */
interface Policy {
  createHTML: (text: string) => string;
  createScriptURL: (url: string) => string;
}

interface Factory {
  createPolicy: (name: string, policy: Policy) => unknown;
}

export function createHTML(text: string): string {
  if (text.includes('<')) throw new TypeError('markup is never made from strings');
  return text;
}

export function createScriptURL(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError('scripts are our own');
  return url;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
factory?.createPolicy('default', { createHTML, createScriptURL });
