/**
 * The only Trusted Types policy (docs/decisions/021-console.md). The UI kit writes style sheets through innerHTML, and
 * that text never contains "<", so anything that could be markup is rejected. Scripts are never created from strings;
 * script URLs (workers) must have the same origin.
 */
interface Policy {
  createHTML: (text: string) => string;
  createScriptURL: (url: string) => string;
}

interface Factory {
  createPolicy: (name: string, policy: Policy) => unknown;
}

/** @throws TypeError if the text contains "<" */
export function createHTML(text: string): string {
  if (text.includes('<')) throw new TypeError('innerHTML text must not contain "<"');
  return text;
}

/** @throws TypeError if the URL has another origin */
function createScriptURL(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} has another origin`);
  return url;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
factory?.createPolicy('default', { createHTML, createScriptURL });
