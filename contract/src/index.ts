import { agent } from './agent.ts';
import { approval } from './approval.ts';
import { audit } from './audit.ts';
import { fund } from './fund.ts';
import { home } from './home.ts';
import { internalTransfer } from './internal-transfer.ts';
import { market } from './market.ts';
import { preference } from './preference.ts';
import { recharge } from './recharge.ts';
import { session } from './session.ts';
import { user } from './user.ts';
import { view } from './view.ts';
import { withdraw } from './withdraw.ts';

/** Every call of the product, by noun. */
export const nouns = {
  session,
  home,
  agent,
  user,
  market,
  recharge,
  withdraw,
  fund,
  internalTransfer,
  approval,
  audit,
  preference,
  view,
};
export type Noun = keyof typeof nouns;
