#!/bin/sh
# @polkadot/util-crypto 13.5.1: isAddress and validateAddress.
#
# Most expect: a form that asks isAddress whether a text can be paid to on Polkadot refuses the address of another chain.
# What happens: every text of whole bytes in hex is an address, of any length, also none. The address of an Ethereum account
# passes, although encodeAddress of the same package then says that no account has 20 bytes; one byte passes and is account
# index 18, whose owner somebody else may be.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @polkadot/util-crypto@13.5.1 >/dev/null
cat >ask.mjs <<'END'
import { encodeAddress, isAddress } from '@polkadot/util-crypto';
for (const text of ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B', '0x12', '0x', '5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM']) {
  let encoded;
  try {
    encoded = encodeAddress(text);
  } catch (error) {
    encoded = 'refused';
  }
  console.log(`${text} isAddress=${isAddress(text)} encodeAddress=${encoded}`);
}
END
output=$(node ask.mjs)
printf '@polkadot/util-crypto 13.5.1\n%s\n' "$output"
case "$output" in
*'DEbe1B isAddress=true encodeAddress=refused'*'0x12 isAddress=true encodeAddress=F8cR'*) echo 'as described' ;;
*) echo CHANGED && exit 1 ;;
esac
