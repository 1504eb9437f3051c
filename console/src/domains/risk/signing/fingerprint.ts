import { groupDigest } from '@hengtai/contract/risk/signing/text';
import { useEffect, useState } from 'react';

/** The fingerprint of a public key, as the signing page shows it. Browsers compute it on secure pages only. */
async function fingerprintOf(publicKey: string): Promise<string> {
  const binary = atob(publicKey.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return groupDigest(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** Fingerprint of a public key; undefined until it is computed, and on a page without HTTPS. */
export function useFingerprint(publicKey: string): string | undefined {
  const [fingerprint, setFingerprint] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    const compute = async () => {
      const found = await fingerprintOf(publicKey);
      if (isCurrent) setFingerprint(found);
    };
    if (window.isSecureContext) void compute();
    return () => {
      isCurrent = false;
    };
  }, [publicKey]);
  return fingerprint;
}
