import { type PluginContext, startPlugin } from './plugin.ts';

// HollaEx Kit evaluates this file with its objects as global names, and ends it by ending the process.
declare const app: PluginContext['app'];
declare const toolsLib: PluginContext['toolsLib'];
declare const loggerPlugin: PluginContext['loggerPlugin'];
declare const meta: PluginContext['meta'];
declare const publicMeta: PluginContext['publicMeta'];

startPlugin({ app, toolsLib, loggerPlugin, meta, publicMeta }, new AbortController().signal);
