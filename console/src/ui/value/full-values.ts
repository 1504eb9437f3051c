import { createContext, use } from 'react';

/** Set where there is room: amounts, times and accounts of list columns are then shown in full. */
export const FullValues = createContext(false);
export const useFullValues = (): boolean => use(FullValues);
