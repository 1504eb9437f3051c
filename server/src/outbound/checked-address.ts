import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

const PRIVATE_RANGES = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Metadata and agent services of clouds outside the link-local ranges, some of them in private or even public ranges. */
const METADATA = [
  '100.100.100.200/32', // Alibaba
  'fd00:100::100:200/128', // Alibaba
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Akamai
].map((range) => ipaddr.parseCIDR(range));

/** IPv6 addresses outside it are unassigned, or contain an IPv4 address in a form of former times. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

type Address = ReturnType<typeof ipaddr.process>;
const isWithin = (address: Address, range: (typeof METADATA)[number]): boolean =>
  address.kind() === range[0].kind() && address.match(range);

/** A target that no later attempt may reach either. The message is what the operator reads. */
export class BlockedTarget extends Error {
  override name = 'BlockedTarget';
}

/**
 * Refuses private addresses, unless they are allowed, and always those that no receiver has: metadata services of
 * clouds, link-local, multicast, reserved and translated ones. Plain HTTP stays inside.
 *
 * @throws BlockedTarget
 */
export function checkAddress(text: string, protocol: string, allowPrivate: boolean): void {
  const address = ipaddr.process(text);
  const range = address.range();
  const isPrivate = PRIVATE_RANGES.has(range);
  const isPublic = range === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, PUBLIC_IPV6));
  const isMetadata = METADATA.some((one) => isWithin(address, one));
  if (isMetadata || !(isPublic || (isPrivate && allowPrivate))) throw new BlockedTarget('地址指向内部网络，已被阻止');
  if (protocol === 'http:' && !isPrivate) throw new BlockedTarget('公网地址必须以 https:// 开头');
}

/** The host name without the brackets of IPv6 and the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** Checks the host of an address that is no name. A connection to it looks nothing up. */
export function checkLiteral(url: URL, allowPrivate: boolean): void {
  const host = hostOf(url);
  if (ipaddr.isValid(host)) checkAddress(host, url.protocol, allowPrivate);
}

/** Looks up a name and checks every address. The connection uses these addresses, so a second lookup cannot change them. */
export const checkedLookup =
  (protocol: string, allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      try {
        for (const { address } of addresses) checkAddress(address, protocol, allowPrivate);
      } catch (blocked) {
        return callback(blocked as Error, '', 0);
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
