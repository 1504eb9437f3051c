import type { SigningMine } from '@hengtai/contract/risk/signing/schema';
import type { App } from '../../../app/context.ts';

/** The signing page, as the console opens it. */
export function describeSigningPage({ signingPage }: Pick<App, 'signingPage'>): SigningMine['page'] {
  if (!signingPage) return null;
  const { url, id: relyingParty, isApart } = signingPage;
  return { url, relyingParty, isApart };
}
