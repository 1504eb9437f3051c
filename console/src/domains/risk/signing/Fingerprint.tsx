import { groupDigest } from '@hengtai/contract/risk/signing/text';
import { CopyButton } from '../../../ui/value/CopyButton.tsx';
import { useFingerprint } from './fingerprint.ts';

/** A digest in groups of four, eight to a line, as it is written on paper. */
export function Fingerprint({ digest, what }: { digest: string; what: string }) {
  return (
    <span className="ht-signing-fingerprint">
      <code aria-label={what}>{groupDigest(digest)}</code>
      <CopyButton text={groupDigest(digest)} label={what} />
    </span>
  );
}

/** The fingerprint of a signing key. It is part of the name of what it stands beside. */
export function KeyFingerprint({ publicKey }: { publicKey: string }) {
  const fingerprint = useFingerprint(publicKey);
  if (fingerprint === undefined) return '--';
  return (
    <span className="ht-signing-fingerprint">
      <code>{fingerprint}</code>
      <CopyButton text={fingerprint} label="密钥指纹" />
    </span>
  );
}
