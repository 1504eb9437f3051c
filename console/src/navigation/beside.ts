import { createContext } from 'react';

/** Shows the record of an address beside the open case; false if that is not possible, so that the link opens a tab. */
export const BesideContext = createContext<((path: string) => boolean) | undefined>(undefined);
