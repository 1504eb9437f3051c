async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The digest of a text, lower-case hexadecimal. */
export const digestOf = (text: string): Promise<string> => sha256(new TextEncoder().encode(text));

/** The fingerprint of a public key: the digest of its bytes. */
export const fingerprintOf = (publicKey: string): Promise<string> => sha256(bytesOf(publicKey));

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
