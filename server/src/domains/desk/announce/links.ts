/** Elements whose end also ends a word. */
const BLOCK = /<\/?(?:p|br|h2|h3|ul|ol|li|blockquote)\b[^>]*>/g;
/** Addresses in the text, which many platforms show as links. Only what no host can contain ends one. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"']+/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const decode = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot);/g, (whole, name: string) => entities[name] ?? whole);

/** The links of an announcement, and the addresses in its title and text, each once. `content` is sanitized. */
export function linksOf({ title, content }: { title: string; content: string }): string[] {
  const hrefs = [...content.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => decode(href));
  const text = decode(content.replaceAll(BLOCK, ' ').replaceAll(/<[^>]*>/g, ''));
  const addresses = [title, text].flatMap((part) => part.match(ADDRESS) ?? []);
  return [...new Set([...hrefs, ...addresses.map((address) => address.replace(/\p{P}+$/u, ''))])];
}

/** A page of the platform itself: a relative address keeps this host. */
const OWN = 'own.invalid';

/** The hosts that a link leads to, those of its recipients for mail; undefined if they cannot be told. */
function hostsOf(link: string): (string | undefined)[] {
  const text = /^www\./i.test(link) ? `https://${link}` : link;
  const url = URL.canParse(text)
    ? new URL(text)
    : URL.canParse(text, `https://${OWN}`) && new URL(text, `https://${OWN}`);
  if (!url) return [undefined];
  if (url.protocol !== 'mailto:') return [url.hostname.replace(/\.$/, '')];
  const more = [...url.searchParams].flatMap(([name, value]) => (/^b?cc$|^to$/i.test(name) ? [value] : []));
  return [url.pathname, ...more]
    .join(',')
    .split(',')
    .map((address) => /^[^@%]+@([^@%]+)$/.exec(address)?.[1]?.toLowerCase());
}

/** The links that lead to a host that is not in `hosts`. */
export const foreignLinks = (links: readonly string[], hosts: readonly string[]): string[] =>
  links.filter((link) => !hostsOf(link).every((host) => host === OWN || (host !== undefined && hosts.includes(host))));

/** The host of an address in a setting; none if it is empty. */
export const settingHosts = (address: string): string[] => (URL.canParse(address) ? [new URL(address).hostname] : []);
