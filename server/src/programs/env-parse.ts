import { isIP } from 'node:net';
import { ABILITIES, ABILITY } from '@hengtai/contract/authority/ability';
import proxyAddr from '@fastify/proxy-addr';
import { relyingPartyAt } from '../host/relying-party.ts';
import type { OidcGroups } from '../host/oidc-settings.ts';

const GRANTABLE = new Set<number>(ABILITIES.filter((ability) => ability !== ABILITY.enabled));

// Each parser returns undefined for a text that is not accepted.

export function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d{1,9}$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

export function parseHost(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const isName = text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,62}\.?)*$/i.test(text);
  // A name of digits and dots only is a mistyped IP address.
  return isName && !/^[\d.]+$/.test(text) ? text : undefined;
}

export function parsePublicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

/** The folder of the signing page, with a slash at its end. */
export function parseSigningUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname, href } = new URL(text);
  const isFolder = href === `${origin}${pathname}` && relyingPartyAt(href) !== undefined;
  return isFolder ? href.replace(/\/?$/, '/') : undefined;
}

/** `finance=2,3; desk=; owners=all`. A name may contain `=`, as those of LDAP do. */
export function parseGroups(text: string): OidcGroups | undefined {
  const groups = new Map<string, readonly number[] | 'all'>();
  for (const entry of text.split(';').filter((part) => part.trim() !== '')) {
    const at = entry.lastIndexOf('=');
    const [name, list] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    if (at < 0 || name === '' || groups.has(name)) return undefined;
    const abilities = list === '' ? [] : list.split(',').map((part) => part.trim());
    const isKnown = abilities.every((part) => /^\d{1,2}$/.test(part) && GRANTABLE.has(Number(part)));
    if (list !== 'all' && !isKnown) return undefined;
    groups.set(name, list === 'all' ? 'all' : abilities.map(Number));
  }
  return groups.size === 0 ? undefined : groups;
}

/** Plain HTTP only on the own machine. */
export function parseIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password, hash, search } = new URL(text);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLocal);
  return isAllowed && username + password + hash + search === '' ? text : undefined;
}

export function parseWebhook(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + hash === '' ? text : undefined;
}

export function parseHosts(text: string): string | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  return names.every((name) => name !== '' && parseHost(name) !== undefined) ? names.join(',') : undefined;
}

/** Hosts with or without a port, in the form that addresses are compared with: IPv6 in brackets only before a port. */
export function parseHostPorts(text: string): string | undefined {
  const entries = text.split(',').map((entry) => normalizeHostPort(entry.trim().toLowerCase()));
  return entries.every((entry) => entry !== undefined) ? entries.join(',') : undefined;
}

function normalizeHostPort(entry: string): string | undefined {
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const host = name.replace(/^\[(.*)\]$/, '$1');
  const isBracketed = host !== name;
  if (parseHost(host) === undefined || isBracketed !== (isIP(host) === 6)) return undefined;
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  if (!isPort || !URL.canParse(`https://${name}`)) return undefined;
  // As `URL` spells it in the addresses of operators.
  const hostname = new URL(`https://${name}`).hostname.replace(/\.$/, '');
  return port === undefined ? hostname.replace(/^\[(.*)\]$/, '$1') : `${hostname}:${Number(port)}`;
}

export function parseDatabaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname, username, password } = new URL(text);
  try {
    for (const part of [username, password]) decodeURIComponent(part);
    // A slash or an @ in the name comes from a password that is not percent-encoded.
    const database = decodeURIComponent(pathname.slice(1));
    return /^postgres(ql)?:$/.test(protocol) && /^[^/@]+$/.test(database) ? text : undefined;
  } catch {
    return undefined;
  }
}

export function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  return /^(off|false|0|no)$/i.test(text) ? false : undefined;
}

/** Accepts a folder. A NUL cannot be in a path. */
export const parseFolder = (text: string): string | undefined => (text.includes('\0') ? undefined : text);

export function parseSmtpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return /^smtps?:$/.test(protocol) && hostname !== '' ? text : undefined;
}

/** A mail address, optionally with a name: `HengTai <desk@example.com>`. */
export const parseSender = (text: string): string | undefined =>
  /^([^<>\r\n]{0,64}<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(text) ? text : undefined;

export function parseTelegramToken(text: string): string | undefined {
  return /^\d{1,20}:[A-Za-z0-9_-]{10,100}$/.test(text) ? text : undefined;
}

/** A number trusts that many proxies, which is safer than trusting the whole header. */
export function parseTrust(text: string): boolean | number | string | undefined {
  if (/^\d+$/.test(text)) return wholeNumber(0, 100)(text);
  const isOn = parseSwitch(text);
  if (isOn !== undefined) return isOn;
  try {
    // The parser that the HTTP server uses.
    proxyAddr.compile(text.split(',').map((part) => part.trim()));
    return text;
  } catch {
    return undefined;
  }
}

/** The accepted host names: that of PUBLIC_URL, and those of ALLOWED_HOSTS. */
export const hostsOf = (publicUrl: string | undefined, allowed: string | undefined): string[] => [
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ...(allowed?.split(',') ?? []),
];
