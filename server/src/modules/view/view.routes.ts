import type { HandlersOf } from '../../resources.ts';
import { type Handlers, countViews, viewDel, viewSave, listVisibleViews } from './view.service.ts';

/** Counting views calls the handlers of their lists, which exist only after all routes are defined. */
export const viewRoutes = (handlers: () => Handlers): HandlersOf<'view'> => ({
  list: (ctx, { list }) => listVisibleViews(ctx, list),
  counts: (ctx, { list }, app) => countViews(ctx, app, list, handlers()),
  save: viewSave,
  del: viewDel,
});
