import type { Module } from '../../module.ts';
import { type Handlers, countViews, viewDel, viewSave, listVisibleViews } from './view.service.ts';

export const viewModule = (handlers: Handlers) =>
  ({
    routes: {
      list: (ctx, { list }) => listVisibleViews(ctx, list),
      counts: (ctx, { list }, app) => countViews(ctx, app, list, handlers),
      save: viewSave,
      del: viewDel,
    },
  }) satisfies Module<'view'>;
