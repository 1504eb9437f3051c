#!/bin/sh
# @aptos-labs/ts-sdk 7.3.0: AccountAddress.from() refuses what toStringShort() writes.
#
# An address of Aptos is 32 bytes in hex. Explorers and older tools leave out its leading zeros, and so does toStringShort().
# Most expect: from() reads each text that the class writes, and pads it.
# What happens: from() demands 60 digits or more, except of the 16 special addresses 0x0 to 0xf. A comparison of addresses
# by it must pad them first, or it takes a known account for an unreadable text.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @aptos-labs/ts-sdk@7.3.0 >/dev/null
cat >run.cjs <<'END'
const { AccountAddress } = require('@aptos-labs/ts-sdk');
const read = (text) => {
  try {
    return AccountAddress.from(text).toStringLong();
  } catch (error) {
    return `refused: ${error.message.split(',')[0]}`;
  }
};
const long = `0x${'0'.repeat(24)}${'ab'.repeat(20)}`;
const short = AccountAddress.from(long).toStringShort();
const special = '0xa';
console.log(`@aptos-labs/ts-sdk ${require('@aptos-labs/ts-sdk/package.json').version}`);
console.log({ long, short, readLong: read(long), readShort: read(short), readSpecial: read(special) });
const isAsDescribed =
  read(long) === long && read(short).startsWith('refused') && read(special) === `0x${'a'.padStart(64, '0')}`;
console.log(isAsDescribed ? 'as described' : 'CHANGED');
process.exit(isAsDescribed ? 0 : 1);
END
node run.cjs
