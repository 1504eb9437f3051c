import { approval } from '@hengtai/contract/desk/approval/calls';
import { config } from '@hengtai/contract/desk/config/calls';
import { home } from '@hengtai/contract/desk/home/calls';
import { session } from '@hengtai/contract/house/session/calls';
import { signing } from '@hengtai/contract/risk/signing/calls';
import { user } from '@hengtai/contract/people/user/calls';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';

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
