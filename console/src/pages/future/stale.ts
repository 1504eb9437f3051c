import { future } from '@hengtai/contract/future';
import { home } from '@hengtai/contract/home';

/** What is no longer true once a position was told to be cancelled or closed. */
export const STALE = [future.list, future.openHistory, future.closeHistory, future.detail, future.exposure, home.state];
