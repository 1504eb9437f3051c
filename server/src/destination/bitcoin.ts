import { type Bech32Text, bytesOfWords, decodeBase58Check, decodeBech32, fromHex, hash160, toHex } from './codec.ts';
import { type Reader, type Reading, keyOwner, scriptOwner } from './reading.ts';

/** Version bytes of base58 and prefixes of bech32. */
interface Chain {
  keys: readonly number[];
  scripts: readonly number[];
  prefixes?: readonly string[];
}
interface Networks {
  main: Chain;
  test: Chain;
}

const BITCOIN: Networks = {
  main: { keys: [0x00], scripts: [0x05], prefixes: ['bc'] },
  test: { keys: [0x6f], scripts: [0xc4], prefixes: ['tb', 'bcrt'] },
};
// Litecoin began with the script version of Bitcoin and replaced it by one of its own; both are in use.
const LITECOIN: Networks = {
  main: { keys: [0x30], scripts: [0x32, 0x05], prefixes: ['ltc'] },
  test: { keys: [0x6f], scripts: [0x3a, 0xc4], prefixes: ['tltc', 'rltc'] },
};
const DOGECOIN: Networks = {
  main: { keys: [0x1e], scripts: [0x16] },
  test: { keys: [0x71, 0x6f], scripts: [0xc4] },
};

const HASH_LENGTH = 20;
const WITNESS_SCRIPT_LENGTH = 32;
const BECH32_MAX = 90;
const VERSION_MAX = 16;
const OP_1 = 0x51;

// Several texts can name one account, so an account is its output script in hex.

/** Pays to the hash of a public key. The key can also be paid by a witness program, and by the script hash of that. */
export const keyHash = (hex: string): Reading => ({
  account: `76a914${hex}88ac`,
  owners: [keyOwner(hex), scriptOwner(nestedHash(hex))],
});

/** Pays to the hash of a script. */
export const scriptHash = (hex: string): Reading => ({ account: `a914${hex}87`, owners: [scriptOwner(hex)] });

/** The script hash of a witness program of version 0. */
const nestedHash = (program: string): string => toHex(hash160(fromHex(`00${lengthOf(program)}${program}`)));
const lengthOf = (hex: string): string => (hex.length / 2).toString(16).padStart(2, '0');

function readWitness({ words, isBech32m }: Bech32Text): Reading | undefined {
  const [version = 0, ...rest] = words;
  const program = bytesOfWords(rest);
  if (!program || version > VERSION_MAX || isBech32m !== version > 0) return undefined;
  const { length } = program;
  const isKey = version === 0 && length === HASH_LENGTH;
  if (length < 2 || length > 40 || (version === 0 && !isKey && length !== WITNESS_SCRIPT_LENGTH)) return undefined;
  const hex = toHex(program);
  const opcode = (version === 0 ? 0 : OP_1 + version - 1).toString(16).padStart(2, '0');
  const account = `${opcode}${lengthOf(hex)}${hex}`;
  if (version > 0) return { account, owners: [keyOwner(hex)] };
  return { account, owners: [isKey ? keyOwner(hex) : scriptOwner(hex), scriptOwner(nestedHash(hex))] };
}

function readBase58(bytes: Uint8Array, { keys, scripts }: Chain): Reading | undefined {
  const [version = 0] = bytes;
  const hash = toHex(bytes.subarray(1));
  if (keys.includes(version)) return keyHash(hash);
  return scripts.includes(version) ? scriptHash(hash) : undefined;
}

const readerOf =
  ({ main, test }: Networks): Reader =>
  (text) => {
    const bech32 = text.length <= BECH32_MAX ? decodeBech32(text) : undefined;
    const bytes = bech32 ? undefined : decodeBase58Check(text);
    const read = (chain: Chain): Reading | undefined => {
      if (bech32) return chain.prefixes?.includes(bech32.prefix) ? readWitness(bech32) : undefined;
      return bytes?.length === HASH_LENGTH + 1 ? readBase58(bytes, chain) : undefined;
    };
    const onTest = (reading: Reading | undefined): Reading | undefined =>
      reading && { ...reading, fault: 'test_network' };
    return read(main) ?? onTest(read(test));
  };

export const readBitcoin = readerOf(BITCOIN);
export const readLitecoin = readerOf(LITECOIN);
export const readDogecoin = readerOf(DOGECOIN);

/** The texts of Bitcoin before SegWit, which chains that left it before still read. */
export const readLegacyBitcoin = readerOf({
  main: { keys: BITCOIN.main.keys, scripts: BITCOIN.main.scripts },
  test: { keys: BITCOIN.test.keys, scripts: BITCOIN.test.scripts },
});
