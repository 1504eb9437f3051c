import { useIsOperatorInScope } from '../api/operator-scope.ts';
import { Account } from '../records/Account.tsx';
import { FullValues } from '../ui/value/full-values.ts';
import { PageLink } from './PageLink.tsx';
import { usePageRoute } from './page-route.ts';

/** The address of a record's drawer. On its own list the filters stay. */
function useDrawerPath(page: '/user' | '/agent', field: 'open' | 'who', value: string): string {
  const { key, search } = usePageRoute();
  const params = new URLSearchParams(key === page ? search : undefined);
  for (const one of ['open', 'who', 'tab']) params.delete(one);
  params.set(field, value);
  return `${page}?${params.toString()}`;
}

interface UserProps {
  account: string;
  id: number;
}

function UserLink({ account, id }: UserProps) {
  return (
    <PageLink quiet to={useDrawerPath('/user', 'open', String(id))}>
      <Account value={account} />
    </PageLink>
  );
}

function AgentLink({ account }: { account: string }) {
  return (
    <PageLink quiet to={useDrawerPath('/agent', 'who', account)}>
      <Account value={account} />
    </PageLink>
  );
}

/** An operator is outside the scope if it is above the reader; then there is nothing to open. */
function OperatorLink({ account }: { account: string }) {
  return useIsOperatorInScope(account) ? <AgentLink account={account} /> : <Account value={account} />;
}

/** What the server answers instead of an account outside the scope. */
const HIDDEN = '--';
const isNamed = (account: string | null | undefined): account is string =>
  account !== null && account !== undefined && account !== '' && account !== HIDDEN;

/** The account of a user, which opens its drawer. */
export const userAccount = (account: string | null, id: number | null) =>
  isNamed(account) && id !== null ? <UserLink account={account} id={id} /> : <Account value={account} />;

/** The account of the user that a row is about. */
export const userCell = (account: string | null, { userId }: { userId: number | null }) => userAccount(account, userId);

/** The account of an agent within the scope, which opens its drawer. */
export const agentCell = (account: string | null) =>
  isNamed(account) ? <AgentLink account={account} /> : <Account value={account} />;

/** The account of an operator who may be outside the scope. */
export const operatorCell = (account: string | null) =>
  isNamed(account) ? <OperatorLink account={account} /> : <Account value={account} />;

/** The same in a drawer, where there is room for the whole account. */
export const agentDetail = (account: string | null) => <FullValues value>{agentCell(account)}</FullValues>;
export const operatorDetail = (account: string | null) => <FullValues value>{operatorCell(account)}</FullValues>;
export const userDetail = (account: string | null, id: number | null) => (
  <FullValues value>{userAccount(account, id)}</FullValues>
);
