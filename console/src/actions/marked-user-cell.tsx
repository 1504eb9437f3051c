import { userCell } from '../navigation/account-cells.tsx';
import { WaitingMark } from './WaitingMark.tsx';

/** The account of a row's user, marked while an approval of the row waits. */
export const markedUserCell = (account: string | null, row: { id: number; userId: number | null }) => (
  <span className="ht-actions-marked">
    {userCell(account, row)}
    <WaitingMark id={row.id} />
  </span>
);
