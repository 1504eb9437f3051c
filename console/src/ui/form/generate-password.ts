/** Excludes look-alike characters: 0 O o 1 l I. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** Generates a random password of 16 uniformly distributed characters (about 92 bits). */
export function generatePassword(fill: (bytes: Uint8Array<ArrayBuffer>) => void = fillRandom): string {
  // Bytes beyond the last multiple of the alphabet size are discarded, because they would bias the first characters.
  const limit = 256 - (256 % ALPHABET.length);
  let password = '';
  while (password.length < LENGTH) {
    const bytes = new Uint8Array(LENGTH);
    fill(bytes);
    for (const byte of bytes) {
      if (byte < limit && password.length < LENGTH) password += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return password;
}

const fillRandom = (bytes: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(bytes);
