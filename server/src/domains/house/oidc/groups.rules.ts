import type { OidcSettings } from '../../../host/oidc-settings.ts';

/**
 * The abilities that the groups of an account allow together: null if nothing is limited, undefined if none of the groups
 * may log in.
 *
 * @param claim a list of names, or one name; anything else names no group
 */
export function allowedByGroups({ groups }: Pick<OidcSettings, 'groups'>, claim: unknown): number[] | null | undefined {
  if (groups === undefined) return null;
  const names: unknown[] = Array.isArray(claim) ? claim : [claim];
  const allowed = names.flatMap((name) => {
    const abilities = typeof name === 'string' ? groups.get(name) : undefined;
    return abilities === undefined ? [] : [abilities];
  });
  if (allowed.length === 0) return undefined;
  if (allowed.includes('all')) return null;
  return [...new Set(allowed.flat() as number[])].sort((a, b) => a - b);
}
