import { groupDigest } from '@hengtai/contract/signing-text';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useFingerprint } from './fingerprint.ts';

/** A digest in groups of four, as it is written on paper. */
export function Fingerprint({ digest, what }: { digest: string; what: string }) {
  return (
    <span className="signing-fingerprint">
      <code aria-label={what}>{groupDigest(digest)}</code>
      <CopyButton text={groupDigest(digest)} what={what} />
    </span>
  );
}

/** The fingerprint of a signing key. */
export function KeyFingerprint({ publicKey }: { publicKey: string }) {
  const fingerprint = useFingerprint(publicKey);
  return <code className="signing-key">{fingerprint ?? '--'}</code>;
}
