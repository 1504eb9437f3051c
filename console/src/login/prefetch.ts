import { whenIdle } from '../ui/browser/idle.ts';

/**
 * Prefetches the console while the operator types. Its document names the scripts and style sheets, so no separate list
 * is needed.
 */
export function prefetchConsole() {
  whenIdle(() => void fetchConsole().catch(() => undefined));
}

async function fetchConsole() {
  const html = await (await fetch('/home', { credentials: 'omit' })).text();
  for (const [, path] of html.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.(?:js|css))"/g)) {
    if (!path) continue;
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.as = path.endsWith('.css') ? 'style' : 'script';
    link.crossOrigin = '';
    link.href = path;
    document.head.append(link);
  }
}
