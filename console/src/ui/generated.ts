/** Without what is mistaken for something else when it is read out or typed off: 0 O o 1 l I. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** A random password of 16 signs, each as likely as the others (about 92 bits). */
export function generatePassword(fill: (bytes: Uint8Array<ArrayBuffer>) => void = randomly): string {
  // Bytes past the last whole multiple would make the first signs likelier, so they are thrown away.
  const fair = 256 - (256 % ALPHABET.length);
  let password = '';
  while (password.length < LENGTH) {
    const bytes = new Uint8Array(LENGTH);
    fill(bytes);
    for (const byte of bytes) {
      if (byte < fair && password.length < LENGTH) password += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return password;
}

const randomly = (bytes: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(bytes);
