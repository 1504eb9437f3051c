import { future } from '@hengtai/contract/trading/future/calls';
import { home } from '@hengtai/contract/desk/home/calls';

/** Queries to invalidate after an order or position was cancelled or closed. */
export const STALE = [
  future.list,
  future.openHistory,
  future.closeHistory,
  future.detail,
  future.exposure,
  future.cancelPreview,
  home.state,
];
