// Writes vectors.jsonl: accounts of each family with every text that the reference libraries know of them.
// README.md has the form. npm install && npm run make
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Address as TonAddress } from '@ton/core';
import { AccountAddress } from '@aptos-labs/ts-sdk';
import * as bch from '@bitauth/libauth';
import { toBech32 } from '@cosmjs/encoding';
import cardano from '@emurgo/cardano-serialization-lib-nodejs';
import * as filecoin from '@glif/filecoin-address';
import { AccountId, Client } from '@hashgraph/sdk';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { encodeAddress } from '@polkadot/util-crypto';
import { getAddressDecoder } from '@solana/addresses';
import { MuxedAccount, StrKey } from '@stellar/stellar-sdk';
import * as bitcoin from 'bitcoinjs-lib';
import monero from 'monero-ts';
import { encodeAccountID, encodeXAddress } from 'ripple-address-codec';
import { utils as tron } from 'tronweb';
import { getAddress } from 'viem';

/** Of each family. */
const ACCOUNTS_MIN = 50;
const PHRASE = 'HengTai destination vectors';
const digest = (owner) => createHash('sha256').update(`${PHRASE} ${owner}`).digest();
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const hash160 = (bytes) => createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest();

// Each function gets the 32 bytes and the number of an owner, and returns its accounts. All families share the bytes.

const evm = (bytes) => [{ texts: [getAddress(`0x${hex(bytes.subarray(0, 20))}`)] }];

/** A chain of the script types of Bitcoin. */
function scripts({ key, script, hrp, testKey, testHrp }) {
  const base58 = (hash, version) => bitcoin.address.toBase58Check(hash, version);
  const witness = (program, version) => [bitcoin.address.toBech32(program, version, hrp)];
  return (bytes) => {
    const hash = bytes.subarray(0, 20);
    const nested = hash160(Buffer.concat([Buffer.from([0, 20]), hash]));
    const legacy = [
      { kind: 'legacy', texts: [base58(hash, key)], test: [base58(hash, testKey)] },
      { kind: 'nested', texts: script.map((version) => base58(nested, version)) },
    ];
    if (!hrp) return legacy;
    return [
      ...legacy,
      { kind: 'witness', texts: witness(hash, 0), test: [bitcoin.address.toBech32(hash, 0, testHrp)] },
      { kind: 'witness-script', texts: witness(bytes, 0) },
      { kind: 'taproot', texts: witness(bytes, 1) },
    ];
  };
}

function bitcoincash(bytes) {
  const account = (kind, type, base58Type, payload) => {
    const encode = (fields) => bch.encodeCashAddress({ prefix: 'bitcoincash', payload, ...fields }).address;
    const both = [encode({ type }), encode({ type: `${type}WithTokens` })];
    const legacy = base58Type ? [bch.encodeBase58Address(base58Type, payload)] : [];
    return { kind, texts: [...both, ...legacy], test: [encode({ type, prefix: 'bchtest' })] };
  };
  return [
    account('legacy', 'p2pkh', 'p2pkh', bytes.subarray(0, 20)),
    account('script', 'p2sh', 'p2sh20', bytes.subarray(0, 20)),
    account('script-32', 'p2sh', undefined, bytes),
  ];
}

function tronAccount(bytes) {
  const raw = `41${hex(bytes.subarray(0, 20))}`;
  return [{ texts: [tron.address.fromHex(raw), raw] }];
}

function ton(bytes) {
  return [0, -1].map((workchain) => {
    const account = new TonAddress(workchain, bytes);
    const forms = (testOnly) =>
      [true, false].flatMap((bounceable) =>
        [true, false].map((urlSafe) => account.toString({ urlSafe, bounceable, testOnly })),
      );
    return {
      kind: `workchain ${workchain}`,
      texts: [...new Set([...forms(false), account.toRawString()])],
      test: [...new Set(forms(true))],
    };
  });
}

function xrp(bytes, n) {
  const id = bytes.subarray(0, 20);
  const tag = n === 0 ? 0 : n === 1 ? 2 ** 32 - 1 : bytes.readUInt32BE(20);
  return [
    {
      texts: [encodeAccountID(id), encodeXAddress(id, false, false)],
      memos: [[encodeXAddress(id, tag, false), String(tag)]],
      test: [encodeXAddress(id, false, true)],
    },
  ];
}

function stellar(bytes, n) {
  const text = StrKey.encodeEd25519PublicKey(bytes);
  const id = n === 0 ? '0' : n === 1 ? String(2n ** 64n - 1n) : String(bytes.readBigUInt64BE(8));
  const muxed = StrKey.encodeMed25519PublicKey(
    Buffer.concat([bytes, Buffer.from(BigInt(id).toString(16).padStart(16, '0'), 'hex')]),
  );
  if (MuxedAccount.fromAddress(muxed, '0').id() !== id) throw new Error(`${muxed} has another id than ${id}`);
  return [
    { kind: 'key', texts: [text], memos: [[muxed, id]] },
    { kind: 'contract', texts: [StrKey.encodeContract(bytes)] },
  ];
}

const solana = (bytes) => [{ texts: [getAddressDecoder().decode(bytes)] }];

function substrate(bytes) {
  const texts = [0, 42].map((prefix) => encodeAddress(bytes, prefix));
  return [{ texts, foreign: [2, 5, 36, 2032].map((prefix) => encodeAddress(bytes, prefix)) }];
}

/** The accounts of Aptos and Sui; the second account of each owner has leading zeros. */
const move = (long) => (bytes) =>
  [bytes, Buffer.concat([Buffer.alloc(12), bytes.subarray(12)])].map((account, index) => {
    return { kind: `account ${index}`, texts: long(hex(account)) };
  });

function near(bytes, n) {
  return [
    { kind: 'implicit', texts: [hex(bytes)] },
    { kind: 'evm', texts: [`0x${hex(bytes.subarray(0, 20))}`] },
    { kind: 'named', texts: [`${hex(bytes.subarray(0, 4))}-${n}.near`] },
  ];
}

const cosmos = (bytes) =>
  ['cosmos', 'osmo', 'inj'].map((prefix) => ({ kind: prefix, texts: [toBech32(prefix, bytes.subarray(0, 20))] }));

function cardanoAccount(bytes) {
  const credential = (hash) => cardano.Credential.from_keyhash(cardano.Ed25519KeyHash.from_bytes(hash));
  const [payment, stake] = [credential(bytes.subarray(0, 28)), credential(bytes.subarray(4))];
  const texts = (address) => [address.to_bech32(), address.to_hex()];
  const base = (network) => cardano.BaseAddress.new(network, payment, stake).to_address();
  const enterprise = cardano.EnterpriseAddress.new(1, payment).to_address();
  const key = cardano.Bip32PrivateKey.from_bip39_entropy(bytes, Buffer.alloc(0)).to_public();
  const byron = (magic) => cardano.ByronAddress.icarus_from_key(key, magic).to_base58();
  return [
    { kind: 'base', texts: texts(base(1)), test: [base(0).to_bech32()] },
    { kind: 'enterprise', texts: texts(enterprise) },
    { kind: 'stake', texts: texts(cardano.RewardAddress.new(1, stake).to_address()) },
    { kind: 'byron', texts: [byron(764824073)], test: [byron(1097911063)] },
  ];
}

function filecoinAccount(bytes, n) {
  const account = (kind, address, others = []) => {
    const [main, test] = ['f', 't'].map((network) => filecoin.encode(network, address));
    return { kind, texts: [main, ...others], test: [test] };
  };
  const evmText = getAddress(`0x${hex(bytes.subarray(0, 20))}`);
  const id = BigInt(bytes.readUInt32BE(0)) * BigInt(n + 1);
  const idAddress = filecoin.newIDAddress(id);
  return [
    account('key', filecoin.newSecp256k1Address(Buffer.concat([bytes, bytes, Buffer.of(n)]))),
    account('actor', filecoin.newActorAddress(bytes)),
    account('bls', filecoin.newBLSAddress(Buffer.concat([bytes, bytes.subarray(0, 16)]))),
    account('evm', filecoin.newDelegatedEthAddress(evmText), [evmText]),
    account('id', idAddress, [filecoin.ethAddressFromID(filecoin.encode('f', idAddress))]),
  ];
}

const hederaMain = Client.forMainnet();
const hederaTest = Client.forTestnet();
function hedera(bytes) {
  const id = AccountId.fromString(`0.0.${bytes.readUInt32BE(0)}`);
  const long = id.toSolidityAddress();
  const [main, test] = [hederaMain, hederaTest].map((client) => id.toStringWithChecksum(client));
  const alias = getAddress(`0x${hex(bytes.subarray(0, 20))}`);
  return [
    { kind: 'number', texts: [id.toString(), main, `0x${long}`], test: [test] },
    { kind: 'evm', texts: [alias] },
  ];
}

async function moneroAccount(bytes, n) {
  // A key is below the order of the curve, which begins with 0x10 in its last byte.
  const privateSpendKey = hex(Buffer.concat([bytes.subarray(0, 31), Buffer.of(bytes[31] & 0x0f)]));
  const wallet = async (networkType) => monero.createWalletKeys({ networkType, privateSpendKey, language: 'English' });
  const main = await wallet(monero.MoneroNetworkType.MAINNET);
  const stage = await wallet(monero.MoneroNetworkType.STAGENET);
  const text = await main.getPrimaryAddress();
  const memo = hex(bytes.subarray(0, 8));
  const integrated = await monero.MoneroUtils.getIntegratedAddress(monero.MoneroNetworkType.MAINNET, text, memo);
  return [
    {
      kind: 'primary',
      texts: [text],
      memos: [[integrated.getIntegratedAddress(), memo]],
      test: [await stage.getPrimaryAddress()],
    },
    { kind: 'subaddress', texts: [await main.getAddress(0, n + 1)] },
  ];
}

/** Names have no library: twelve of the characters that EOS allows. */
const eos = (bytes) => [
  { texts: [[...bytes.subarray(0, 12)].map((byte) => 'abcdefghijklmnopqrstuvwxyz12345'[byte % 31]).join('')] },
];

function aptosTexts(digits) {
  const address = AccountAddress.from(`0x${digits}`);
  return [...new Set([address.toStringLong(), address.toStringShort(), address.toStringLongWithoutPrefix()])];
}

const families = {
  evm,
  bitcoin: scripts({ key: 0x00, script: [0x05], hrp: 'bc', testKey: 0x6f, testHrp: 'tb' }),
  bitcoincash,
  litecoin: scripts({ key: 0x30, script: [0x32, 0x05], hrp: 'ltc', testKey: 0x6f, testHrp: 'tltc' }),
  dogecoin: scripts({ key: 0x1e, script: [0x16], testKey: 0x71 }),
  tron: tronAccount,
  ton,
  xrp,
  stellar,
  solana,
  substrate,
  aptos: move(aptosTexts),
  sui: move((digits) => [normalizeSuiAddress(digits)]),
  near,
  cosmos,
  cardano: cardanoAccount,
  filecoin: filecoinAccount,
  hedera,
  monero: moneroAccount,
  eos,
};

const lines = [];
for (const [family, accountsOf] of Object.entries(families)) {
  const accounts = [];
  for (let owner = 0; accounts.length < ACCOUNTS_MIN; owner++)
    accounts.push(...(await accountsOf(digest(owner), owner)).map((account) => ({ family, owner, ...account })));
  lines.push(...accounts.map((account) => JSON.stringify(account)));
}
writeFileSync(new URL('vectors.jsonl', import.meta.url), `${lines.join('\n')}\n`);
// Clients of Hedera keep the process alive.
process.exit(0);
