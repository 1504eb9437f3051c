#!/bin/sh
# @emurgo/cardano-serialization-lib-nodejs 15.0.3: Address.from_bech32() reads an address behind any prefix.
#
# CIP 19 fixes the prefixes: addr and stake, addr_test and stake_test on test networks. The first byte says the network too.
# Most expect: a text whose prefix contradicts its bytes, or is none of the four, is refused.
# What happens: the prefix is ignored. A text that begins with addr_test1 and holds bytes of the main network is an address of
# the main network, and so is one that begins with the prefix of another chain. A comparison of texts takes them for others.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @emurgo/cardano-serialization-lib-nodejs@15.0.3 >/dev/null
cat >run.cjs <<'END'
const { Address, Credential, Ed25519KeyHash, EnterpriseAddress } = require('@emurgo/cardano-serialization-lib-nodejs');
const { version } = require('@emurgo/cardano-serialization-lib-nodejs/package.json');
const key = Credential.from_keyhash(Ed25519KeyHash.from_bytes(new Uint8Array(28).fill(7)));
const main = EnterpriseAddress.new(1, key).to_address();
const texts = [undefined, 'addr_test', 'cosmos'].map((prefix) => main.to_bech32(prefix));
const read = texts.map((text) => {
  const address = Address.from_bech32(text);
  return { text, network: address.network_id(), isEqual: address.to_hex() === main.to_hex() };
});
console.log(`@emurgo/cardano-serialization-lib-nodejs ${version}`);
console.log(read);
const isAsDescribed = texts[1].startsWith('addr_test1') && read.every(({ network, isEqual }) => network === 1 && isEqual);
console.log(isAsDescribed ? 'as described' : 'CHANGED');
process.exit(isAsDescribed ? 0 : 1);
END
node run.cjs
