import { approval } from '@hengtai/contract/approval';
import { config } from '@hengtai/contract/config';
import { home } from '@hengtai/contract/home';
import { session } from '@hengtai/contract/session';
import { signing } from '@hengtai/contract/signing';
import { user } from '@hengtai/contract/user';
import { withdraw } from '@hengtai/contract/withdraw';

/** What the end of a request changes. */
export const STALE = [
  approval.list,
  approval.detail,
  approval.open,
  withdraw.list,
  withdraw.detail,
  signing.record,
  user.list,
  user.detail,
  home.state,
  approval.fourEyes,
  approval.operators,
  session.me,
  config.list,
];
