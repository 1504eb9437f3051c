import { User } from '@hengtai/contract/gateway/fields.schema';
import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { Redeem, SnapshotQuery } from '@hengtai/contract/gateway/schema';
import { Strict } from '@hengtai/contract/wire/schema';
import { requireFound } from '../../../app/refuse.ts';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import { fetchPlatformBalances } from './balance.store.ts';
import { readSnapshot } from './snapshot.service.ts';
import { redeemLink, userToken } from './support-link.service.ts';
import type { UserChanges } from './user-changes.rules.ts';
import { userDelete } from './user-delete.service.ts';
import { userDetail } from './user-detail.service.ts';
import type { LastOfUser } from './user-detail.store.ts';
import { userAgentChange, userAgentChangeEach } from './user-move.service.ts';
import type { UserTable } from './user-move.store.ts';
import { listNotes } from './user-note.store.ts';
import type { OpenProbe } from './user-open.store.ts';
import {
  userAi,
  userDisable,
  userEnable,
  userIeoBuy,
  userIeoSellClose,
  userIeoSellOpen,
  userSecond,
  userTradeClose,
  userTradeOpen,
} from './user-switch.service.ts';
import { userEvents } from './user.events.ts';
import { userAdd, userAsset, userBalance, userNoteAdd, userPassword, userRemark } from './user.service.ts';
import { listUsers, readPlatformUser } from './user.store.ts';

interface UserRecords {
  userTables: readonly UserTable[];
  openProbes: readonly OpenProbe[];
  lastOfUser: LastOfUser;
  changes: readonly UserChanges[];
}

const platformCalls = [
  platformCall(
    {
      method: 'POST',
      path: '/support/redeem',
      right: 'support',
      summary: 'Opens a support link, once',
      input: Redeem,
      output: platformReads.redeemed,
    },
    (app, { token }, scope, origin) => redeemLink(app, scope, token, origin),
  ),
  platformCall(
    {
      method: 'GET',
      path: '/balances',
      right: 'balances',
      summary: 'Returns all balances of a user',
      input: Strict({ account: User }),
      output: platformReads.balances,
    },
    async (app, { account }, { id }) => {
      return requireFound(await fetchPlatformBalances(app.system, id, account));
    },
  ),
  platformCall(
    {
      method: 'GET',
      path: '/users',
      right: 'reads',
      summary: 'Returns a user with its switches',
      input: Strict({ account: User }),
      output: platformReads.user,
    },
    async (app, { account }, { id }) => requireFound(await readPlatformUser(app.system, id, account)),
  ),
  platformCall(
    {
      method: 'GET',
      path: '/balances/snapshot',
      right: 'balances',
      summary: 'Returns the balances of all users as of one ledger entry',
      input: SnapshotQuery,
      output: platformReads.snapshot,
    },
    readSnapshot,
  ),
];

/** @param records what the resources say about the rows of users */
export const userModule = ({ userTables, openProbes, lastOfUser, changes }: UserRecords) =>
  ({
    routes: {
      list: listUsers,
      add: userAdd,
      asset: userAsset,
      detail: userDetail(openProbes, lastOfUser),
      balance: userBalance,
      noteList: listNotes,
      noteAdd: userNoteAdd,
      remark: userRemark,
      pwdUpdate: userPassword,
      enable: userEnable,
      disable: userDisable(changes),
      enableMany: { each: userEnable },
      disableMany: { each: userDisable(changes) },
      tradeOpen: userTradeOpen,
      tradeClose: userTradeClose,
      ieoBuy: userIeoBuy,
      ieoSellOpen: userIeoSellOpen,
      ieoSellClose: userIeoSellClose,
      ai: userAi,
      second: userSecond,
      token: userToken,
      agentChange: userAgentChange(userTables, changes),
      agentChangeMany: { each: userAgentChangeEach(userTables, changes) },
      del: userDelete(openProbes, changes),
    },
    userTables: [
      { table: 'credential_change' },
      { table: 'user_login' },
      { table: 'user_note' },
      { table: 'support_link' },
    ],
    events: userEvents,
    platformCalls,
  }) satisfies Module<'user'>;
