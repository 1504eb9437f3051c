import type { HandlersOf } from '../resources.ts';
import { type Handlers, countViews, viewDel, viewSave, viewsOf } from './view.service.ts';

/** Views are counted by the lists that they are of, whose handlers are known only when all are. */
export const viewRoutes = (handlers: () => Handlers): HandlersOf<'view'> => ({
  list: (ctx, { list }) => viewsOf(ctx, list),
  counts: (ctx, { list }, app) => countViews(ctx, app, list, handlers()),
  save: viewSave,
  del: viewDel,
});
