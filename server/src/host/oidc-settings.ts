/** The identity provider (OpenID Connect) of an installation. */
export interface OidcSettings {
  /** Address of the provider, as its discovery document names it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  groupsClaim: string;
  /** What each group allows; undefined: groups limit nothing. */
  groups: OidcGroups | undefined;
  sessionMinutes: number;
  /** Each request to the provider must end within this time. */
  timeoutSeconds: number;
  /** Address of the console, without a trailing slash. The provider sends browsers back there. */
  origin: string;
}

/** Abilities by the name of the group; `all` limits nothing. */
export type OidcGroups = ReadonlyMap<string, readonly number[] | 'all'>;

/** The issuer as links are stored: with or without a trailing slash it is the same provider. */
export const issuerKey = ({ issuer }: Pick<OidcSettings, 'issuer'>): string => issuer.replace(/\/$/, '');
