import { createContext } from 'react';

/** The open record that shows the dialogs of its own actions, instead of windows above the page. */
export interface RecordPlace {
  /** Where the dialog is rendered; null until the record is mounted. */
  element: HTMLElement | null;
  /** Says inside the record what was done. */
  report: (text: string) => void;
}

export const RecordPlaceContext = createContext<RecordPlace | undefined>(undefined);
