import { BlockList, isIP } from 'node:net';

/** A network of addresses, as `10.0.0.0/8` or `2001:db8::/32`; a single address has its full length. */
interface Network {
  address: string;
  length: number;
  family: 'ipv4' | 'ipv6';
}

/** Parses a network; undefined for other texts, also for an address with a zone and for one that maps IPv4 into IPv6. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0 || /%|^::ffff:/i.test(address)) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const network = { address, length: Number(length ?? bits), family: version === 4 ? 'ipv4' : 'ipv6' } as const;
  return network.length <= bits ? network : undefined;
}

/** @throws Error for a text that is no network */
function mustParse(text: string): Network {
  const network = parseNetwork(text);
  if (!network) throw new Error(`${text} is not a network.`);
  return network;
}

function toList(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, length, family } of networks) list.addSubnet(address, length, family);
  return list;
}

/** Makes a test of addresses. An IPv4 address that IPv6 maps is that IPv4 address. No network at all allows every address. */
export function addressTest(texts: readonly string[]): (address: string) => boolean {
  if (texts.length === 0) return () => true;
  const list = toList(texts.map(mustParse));
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Whether the list `after` allows an address that `before` does not. No network at all allows every address. */
export function widensNetworks(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false;
  if (after.length === 0) return true;
  const old = before.map(mustParse);
  return after.map(mustParse).some(
    ({ address, length, family }) =>
      // A network is contained in a shorter or equal one that contains its address.
      !old.some((one) => one.family === family && one.length <= length && toList([one]).check(address, family)),
  );
}
