import { readTextFile } from '../host/key-file.ts';
import type { OidcGroups, OidcSettings } from '../host/oidc-settings.ts';
import { parseFolder, parseGroups, parseIssuer, wholeNumber } from './env-parse.ts';
import { type ValuesOf, type Variable, matching, optional, secret } from './env-variable.ts';

const TIMEOUT_SECONDS = 5;

/** The variables of the login by an identity provider. */
export const oidcVariables = {
  OIDC_ISSUER: optional(parseIssuer, 'an https address (http only of this machine), as the provider names it'),
  OIDC_CLIENT_ID: matching(/^[\x21-\x7e]{1,255}$/, '1 to 255 ASCII characters without spaces'),
  OIDC_CLIENT_SECRET: secret(matching(/^[\x20-\x7e]{1,512}$/, '1 to 512 ASCII characters')),
  OIDC_CLIENT_SECRET_FILE: optional(parseFolder, 'the path of a file'),
  OIDC_SCOPE: {
    ...matching(/^(?=.*\bopenid\b)[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'scopes separated by spaces, with openid'),
    fallback: 'openid',
  } as Variable<string>,
  OIDC_GROUPS_CLAIM: {
    ...matching(/^[\x21-\x7e]{1,200}$/, 'the name of a claim'),
    fallback: 'groups',
  } as Variable<string>,
  OIDC_GROUPS: {
    fallback: undefined,
    parse: parseGroups,
    rule: 'groups with numbers of abilities, like finance=2,3;auditors=12;owners=all',
  } as Variable<OidcGroups | undefined>,
  OIDC_SESSION_MINUTES: {
    fallback: 240,
    parse: wholeNumber(5, 1_440),
    rule: 'a whole number of minutes from 5 to 1440',
  } as Variable<number>,
};

/** The settings as the environment has them; the secret may be in a file. */
export type OidcEnv = Omit<OidcSettings, 'clientSecret' | 'origin' | 'timeoutSeconds'> & {
  clientSecret: { text: string } | { file: string };
};

export function oidcOf(values: ValuesOf<typeof oidcVariables>): OidcEnv | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: text, oidcClientSecretFile: file } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: file === undefined ? { text: text ?? '' } : { file },
    scope: values.oidcScope,
    groupsClaim: values.oidcGroupsClaim,
    groups: values.oidcGroups,
    sessionMinutes: values.oidcSessionMinutes,
  };
}

/** Checks the rules that concern several of the variables. */
export function findOidcConflicts(isSet: (name: string) => boolean): string[] {
  const hasSecret = isSet('OIDC_CLIENT_SECRET') || isSet('OIDC_CLIENT_SECRET_FILE');
  const given = [isSet('OIDC_ISSUER'), isSet('OIDC_CLIENT_ID'), hasSecret];
  const conflicts: string[] = [];
  if (given.includes(true) && given.includes(false))
    conflicts.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (or its file) go together: set all or none.');
  if (isSet('OIDC_CLIENT_SECRET') && isSet('OIDC_CLIENT_SECRET_FILE'))
    conflicts.push('OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE exclude each other: set one of them.');
  for (const name of ['OIDC_SCOPE', 'OIDC_GROUPS_CLAIM', 'OIDC_GROUPS', 'OIDC_SESSION_MINUTES'])
    if (isSet(name) && !isSet('OIDC_ISSUER')) conflicts.push(`${name} needs OIDC_ISSUER: set both or none.`);
  return conflicts;
}

/**
 * The settings of the servers.
 *
 * @param origin address of the console
 * @throws Error if the file of the secret cannot be read
 */
export function oidcSettingsOf(env: OidcEnv | undefined, origin: string): OidcSettings | undefined {
  if (!env) return undefined;
  const { clientSecret, ...others } = env;
  const secretText =
    'text' in clientSecret
      ? clientSecret.text
      : readTextFile(clientSecret.file, 'Correct OIDC_CLIENT_SECRET_FILE.').trim();
  return { ...others, clientSecret: secretText, origin, timeoutSeconds: TIMEOUT_SECONDS };
}
