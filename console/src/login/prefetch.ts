import { whenIdle } from '../ui/idle.ts';

/**
 * Fetches the console ahead while the operator types: its document names its scripts and style sheets, so this needs no
 * list of its own.
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
